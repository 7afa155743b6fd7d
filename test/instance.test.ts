import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { openInstance } from "../src/server/instance.ts";
import { createLog } from "../src/server/log.ts";
import { openDatabase } from "../src/storage/database.ts";
import { temporaryFolder } from "./_server.ts";

const log = createLog({ format: "text", level: "silent", write() {}, now: Date.now });

/** Writes over the table that has the secret of the tokens, which no check at the start reads. */
async function damageSettings(folder: string): Promise<void> {
  const db = await openDatabase({ folder });
  const { rootpage } = db.get<{ rootpage: number }>(
    "SELECT rootpage FROM sqlite_schema WHERE name = 'settings'",
  )!;
  await db.close();
  const path = join(folder, "todo.db");
  const bytes = readFileSync(path);
  const pageSize = bytes.readUInt16BE(16);
  bytes.fill(0xff, (rootpage - 1) * pageSize, rootpage * pageSize);
  writeFileSync(path, bytes);
}

describe("an instance that cannot be opened", () => {
  test("leaves one plain file behind, and the folder free", async () => {
    using folder = temporaryFolder();
    await damageSettings(folder.path);
    const options = { folder: folder.path, log };
    await assert.rejects(openInstance(options), { code: "corrupt" });
    assert.deepEqual(
      readdirSync(folder.path).filter((name) => name !== ".lock"),
      ["todo.db"],
    );
    await assert.rejects(openInstance(options), { code: "corrupt" });
  });
});
