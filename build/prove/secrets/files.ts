import { lstatSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** A file as somebody else on the machine would meet it. */
export interface Found {
  path: string;
  /** Others than the owner may do something with it. */
  isOpen: boolean;
  /** Empty for what is no plain file. */
  bytes: Buffer;
}

/** Everything below a folder, the folder itself included. */
export function findAll(path: string): Found[] {
  const stat = lstatSync(path);
  // The last two digits are those of the group and of all others.
  const isOpen = !stat.isSymbolicLink() && !stat.mode.toString(8).endsWith("00");
  const bytes = stat.isFile() ? readFileSync(path) : Buffer.alloc(0);
  const children = stat.isDirectory() ? readdirSync(path) : [];
  return [{ path, isOpen, bytes }, ...children.flatMap((name) => findAll(join(path, name)))];
}

/** The command lines of all processes of this machine that can be seen. */
export function processList(): string {
  const lines = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8");
      } catch {
        // It has ended meanwhile.
        return "";
      }
    });
  return lines.join("\n");
}
