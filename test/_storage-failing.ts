// A process whose disk fails at the first write: the next sync ends it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { openDatabase } from "../src/storage/database.ts";
import type { HostFs } from "../src/storage/host-fs.ts";
import { addNote, fsWith, migrations, systemError } from "./_storage.ts";

const folder = mkdtempSync(join(tmpdir(), "todo-storage-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const fdatasync = ((_fd: number, done: (error: Error) => void) =>
  setImmediate(done, systemError("EIO"))) as unknown as HostFs["fdatasync"];
const db = await openDatabase({ folder, migrations, fs: fsWith({ fdatasync }) });
addNote(db, "one");
process.stdout.write("written\n");
await db.durable();
process.stdout.write("acknowledged\n");
