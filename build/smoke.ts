import path from "node:path";
import { parseArgs } from "node:util";
import { dist } from "./package/project.ts";
import { checks } from "./smoke/checks.ts";
import { createUser } from "./smoke/user.ts";

/**
 * Tries the built executable as somebody who has nothing else: from an empty folder that cannot be
 * written to, and where possible as a user without a home. Exits with 1 when a check fails.
 *
 *     npm run smoke
 *     npm run smoke -- --file dist/todo-linux-arm64 --through "qemu-aarch64-static -L FOLDER"
 *     npm run smoke -- --root FOLDER   # of a minimal system, made by debootstrap for instance
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      file: { type: "string", default: path.join(dist, `todo-linux-${process.arch}`) },
      through: { type: "string", default: "" },
      root: { type: "string", default: "/" },
    },
  });
  using user = createUser(values.file, {
    through: values.through.split(" ").filter(Boolean),
    root: path.resolve(values.root),
  });
  for (const { name, run } of checks) {
    const started = performance.now();
    const failure = await run(user).then(
      () => undefined,
      (error: unknown) => error,
    );
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`${failure === undefined ? "ok    " : "FAILED"} ${name} (${seconds} s)`);
    if (failure === undefined) continue;
    console.log(failure instanceof Error ? failure.stack : failure);
    process.exitCode = 1;
  }
}

await main();
