/**
 * Importing ofetch reads the fetch classes of the global object, and reading
 * one makes Node load its whole fetch: 50 ms that no command of ours needs.
 * Imported before ofetch, this hides them; `showFetch` brings them back.
 */
const names = ["Headers", "Request", "Response", "FormData"] as const;

const hidden = names.map((name) => {
  const descriptor = Object.getOwnPropertyDescriptor(globalThis, name)!;
  Object.defineProperty(globalThis, name, { value: Function, configurable: true, writable: true });
  return { name, descriptor };
});

/** Undoes what importing this module has done. */
export function showFetch(): void {
  for (const { name, descriptor } of hidden) Object.defineProperty(globalThis, name, descriptor);
}
