import { join } from "node:path";

/** The project. */
export const root = join(import.meta.dirname, "..", "..");

/** Kept between runs: the runtime, the bundle and the databases to begin with. */
export const cacheFolder = join(root, "node_modules", ".cache", "todo-bench");
