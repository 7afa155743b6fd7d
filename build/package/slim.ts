import { readFileSync } from "node:fs";
import path from "node:path";
import type { Plugin } from "esbuild";
import { root } from "./project.ts";

/**
 * What listhen would import for features that are not in use: tunnels, watching, running
 * TypeScript, web sockets, the clipboard.
 */
const leftOut = /^(jiti|untun|crossws(\/.*)?|@parcel\/watcher(-wasm)?|tinyclip)$/;

/** Keeps packages out of the bundle that are only ever imported for features not in use. */
export const leaveOutPlugin: Plugin = {
  name: "leave-out",
  setup(build) {
    build.onResolve({ filter: leftOut }, ({ path: name, kind }) =>
      kind === "dynamic-import" ? { path: name, namespace: "left-out" } : undefined,
    );
    build.onLoad({ filter: /./, namespace: "left-out" }, ({ path: name }) => ({
      contents: `throw new Error(${JSON.stringify(`${name} is not in the executable.`)});`,
    }));
  },
};

/** A change to a package's file, which must have the text that is changed. */
interface Change {
  file: string;
  from: string;
  to: string;
}

const changes: readonly Change[] = [
  {
    // Reading it makes Node load its fetch, for 25 ms; our client brings headers of its own.
    file: "ofetch/dist/index.mjs",
    from: "const Headers = _globalThis.Headers;",
    to: "const Headers = null;",
  },
  {
    // Making it takes 15 ms, and a command that prints plain text never asks it.
    file: "string-width/index.js",
    from: "const segmenter = new Intl.Segmenter();",
    to: "let made; const segmenter = { segment: (text) => (made ??= new Intl.Segmenter()).segment(text) };",
  },
];

/**
 * Keeps packages from loading at the start what a plain command does not need. Of ofetch it takes
 * the variant without a fetch for old versions of Node.
 */
export const startFastPlugin: Plugin = {
  name: "start-fast",
  setup(build) {
    build.onResolve({ filter: /^ofetch$/ }, () => ({ path: packageFile("ofetch/dist/index.mjs") }));
    // There is nothing left to be hidden from ofetch, and hiding it reads it.
    build.onLoad({ filter: /[\\/]src[\\/]client[\\/]hide-fetch\.ts$/ }, () => ({
      contents: "export function showFetch() {}",
    }));
    for (const { file, from, to } of changes) {
      const wanted = packageFile(file);
      build.onLoad({ filter: new RegExp(`${path.basename(file)}$`) }, ({ path: found }) => {
        if (found !== wanted) return undefined;
        const text = readFileSync(found, "utf8");
        if (text.includes(from)) return { contents: text.replace(from, to) };
        throw new Error(`${file} has changed: see build/package/slim.ts.`);
      });
    }
  },
};

function packageFile(file: string): string {
  return path.join(root, "node_modules", file);
}
