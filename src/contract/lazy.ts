/**
 * A schema that is built when it is first used. A process uses few of them, and to build all takes
 * a third of a server's start and much of its memory.
 */
export function lazy<S extends object>(build: () => S): S {
  let built: S | undefined;
  const schema = (): S => (built ??= build());
  return new Proxy(build as unknown as S, {
    apply: (_target, _this, values) =>
      Reflect.apply(schema() as (...given: unknown[]) => unknown, undefined, values),
    get: (_target, key) => Reflect.get(schema(), key) as unknown,
    has: (_target, key) => Reflect.has(schema(), key),
  });
}
