// Loaded before a program (`--import`): names on stderr every module that it then loads, by import
// or require, ours and those of packages.
import { writeSync } from "node:fs";
import { createRequire, register } from "node:module";
import { pathToFileURL } from "node:url";

const hooks = `
  import { writeSync } from "node:fs";
  export async function load(url, context, next) {
    if (url.startsWith("file:")) writeSync(2, "module " + url + "\\n");
    return next(url, context);
  }
`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);

process.on("exit", () => {
  for (const path of Object.keys(createRequire(import.meta.url).cache)) {
    writeSync(2, `module ${pathToFileURL(path).href}\n`);
  }
  // fetch is a part of Node that is loaded when it is first touched, for 50 ms.
  // @ts-expect-error -- not documented, and there all the same
  const builtIns = /** @type {string[]} */ (process.moduleLoadList);
  if (builtIns.some((name) => name.includes("undici"))) {
    writeSync(2, "module file:///node_modules/undici/\n");
  }
});
