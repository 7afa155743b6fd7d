import { fstatSync, writeSync } from "node:fs";

/**
 * Lets a server go on when what it says cannot be written, as on a full disk: what it serves counts
 * for more.
 *
 * @returns writes lines of the log to stderr; those that find no room are lost
 */
export function lossyLog(): (lines: string) => void {
  for (const stream of [process.stdout, process.stderr]) {
    // It ends every other command; see program.ts.
    stream.removeAllListeners("error");
    stream.on("error", () => {});
  }
  const { fd } = process.stderr;
  return fstatSync(fd).isFile() ? intoFile(fd) : (lines) => void process.stderr.write(lines);
}

/** Unlike a stream, which its first failure closes: one day there is room again. */
function intoFile(fd: number): (lines: string) => void {
  let isCut = false;
  return (lines) => {
    const bytes = Buffer.from(isCut ? `\n${lines}` : lines);
    try {
      isCut = writeSync(fd, bytes) < bytes.length;
    } catch {
      // There is no other place to say it.
    }
  };
}
