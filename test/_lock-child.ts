import { createInterface } from "node:readline";

import { acquireLock, type Lock } from "../src/storage/lock.ts";

/**
 * A process to race with: `node --import tsx test/_lock-child.ts FOLDER`. It obeys the lines it
 * reads and answers each with one: "held TIME" or "refused TIME CODE MESSAGE", where TIME is in
 * nanoseconds of the system's monotonic clock, so that processes can be compared.
 */
const folder = process.argv[2] ?? "";
let lock: Lock | undefined;

async function obey(line: string): Promise<string> {
  const [command, argument = ""] = line.split(" ");
  switch (command) {
    case "acquire":
      try {
        lock = await acquireLock(folder);
        return `held ${process.hrtime.bigint()}`;
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        return `refused ${process.hrtime.bigint()} ${code} ${message}`;
      }
    case "announce":
      lock?.announce({ url: argument });
      return "announced";
    case "holds":
      return String(lock?.holds());
    case "release":
      await lock?.release();
      return "released";
    default:
      return "unknown";
  }
}

createInterface({ input: process.stdin }).on("line", (line) => {
  void obey(line).then((answer) => process.stdout.write(`${answer}\n`));
});
process.stdout.write("ready\n");
