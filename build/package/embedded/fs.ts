import { readFileSync as readRealFile } from "node:fs";
import { readAsset, readText } from "todo:assets";

/** Stands for `node:fs` in modules that read what lies beside them. */
export * from "node:fs";

const scheme = "embedded:/";

/** Reads an embedded file, or one of the file system. */
export const readFileSync = ((file: string | URL, options?: unknown) => {
  const path = String(file);
  if (!path.startsWith(scheme)) return readRealFile(file, options as BufferEncoding);
  const name = path.slice(scheme.length);
  return options === "utf8" ? readText(name) : readAsset(name);
}) as typeof readRealFile;
