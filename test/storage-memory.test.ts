import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { openNotes } from "./_storage.ts";

const MIB = 1024 * 1024;

describe("memory", () => {
  test("is bounded by the page cache, not by the database", async (t) => {
    const db = await openNotes(t, { cacheKiB: 8 * 1024 });
    for (let round = 0; round < 8; round++) {
      // 10 MiB in one statement.
      db.run(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2560)
         INSERT INTO notes (text) SELECT hex(randomblob(2000)) FROM n`,
      );
    }
    await db.durable();
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    for (let read = 0; read < 3; read++) {
      assert.equal(
        db.get<{ size: number }>("SELECT sum(length(text)) AS size FROM notes")!.size,
        8 * 2560 * 4000,
      );
    }
    const all = process.memoryUsage();
    assert.ok(statSync(join(db.folder, "todo.db")).size > 150 * MIB);
    // What reading all of it takes, and all that SQLite has taken ever.
    assert.ok(all.rss - before < 16 * MIB, `${all.rss - before} bytes more`);
    assert.ok(all.external < 64 * MIB, `${all.external} bytes outside of JavaScript's heap`);
  });

  test("does not grow with the number of statements that differ", async (t) => {
    setFlagsFromString("--expose-gc");
    const collectGarbage = runInNewContext("gc") as () => void;
    const heap = () => {
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const db = await openNotes(t);
    const [count, length] = [2000, 20_000];
    const before = heap();
    // As lists do, by what they are sorted by and what their filters are.
    for (let i = 0; i < count; i++) db.all(`SELECT 1 AS one /* ${i} ${"x".repeat(length)} */`);
    const growth = heap() - before;
    // The statements that are kept have their text, too.
    assert.ok(growth < (count * length) / 2, `${growth} bytes`);
  });
});
