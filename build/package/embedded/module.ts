/** Stands for `node:module` in modules that look for files of packages. */
export function createRequire(): { resolve: (specifier: string) => string } {
  return { resolve: (specifier) => `embedded:/${specifier}` };
}
