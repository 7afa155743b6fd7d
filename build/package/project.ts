import { readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The project's folder. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/** Where what is built goes. */
export const dist = path.join(root, "dist");

/** What is fetched or made once and may be deleted at any time. */
export const cache = path.join(root, "node_modules", ".cache", "todo");

/** The files of the program with such an ending, relative to the project and in a fixed order. */
export function sourceFiles(ending: string): string[] {
  return readdirSync(path.join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(ending))
    .map((file) => path.posix.join("src", file.replaceAll("\\", "/")))
    .toSorted();
}
