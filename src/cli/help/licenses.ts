import { readFileSync } from "node:fs";

const fromSource =
  "This is todo from its source, under the MIT licence (the file LICENSE). The packages that it uses are in node_modules, each with its licence.";

/** The licences of all that the program contains; the build puts them into the executable. */
export function readLicenses(): string {
  try {
    return readFileSync(new URL("./licenses.txt", import.meta.url), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return fromSource;
    throw error;
  }
}
