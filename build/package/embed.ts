import { readFileSync } from "node:fs";
import path from "node:path";
import type { Plugin } from "esbuild";
import { root } from "./project.ts";

const embedded = path.join(root, "build", "package", "embedded");

/**
 * Lets modules that read files beside themselves (`new URL("./x", import.meta.url)`) find them in
 * the executable. Such a module gets an `import.meta.url` of a scheme of its own, and stand-ins
 * for the modules of Node that take such URLs; see the folder `embedded`. The source knows nothing
 * of it.
 */
export const embedPlugin: Plugin = {
  name: "embed",
  setup(build) {
    const modules = new Set<string>();
    build.onLoad({ filter: /[\\/]src[\\/].*\.m?[jt]s$/ }, ({ path: file }) => {
      const text = readFileSync(file, "utf8");
      if (!text.includes("import.meta.url") || file.includes("node_modules")) return undefined;
      modules.add(file);
      const name = path.relative(root, file).replaceAll("\\", "/");
      const contents = text.replaceAll("import.meta.url", JSON.stringify(`embedded:/${name}`));
      return { contents, loader: file.endsWith("ts") ? "ts" : "js" };
    });
    build.onResolve({ filter: /^node:(fs|module|worker_threads)$/ }, ({ path: name, importer }) => {
      if (!modules.has(importer)) return undefined;
      const file = `${name.slice("node:".length).replace("_", "-")}.ts`;
      return { path: path.join(embedded, file) };
    });
  },
};
