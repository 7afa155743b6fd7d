import assert from "node:assert/strict";
import { describe, test } from "node:test";

import type { Database } from "../src/storage/database.ts";
import { addNote, countNotes, openNotes } from "./_storage.ts";

const echo = (db: Database, value: string | number | null | Uint8Array): unknown =>
  db.get<{ value: unknown }>("SELECT ? AS value", [value])!.value;

describe("a value", () => {
  test("of text comes back as it was, of any length", async (t) => {
    const db = await openNotes(t);
    for (const text of [
      "",
      "a",
      "ä\0ö\0",
      "👩‍👩‍👧 你好",
      "'; DROP TABLE notes; --",
      "long ".repeat(100_000),
    ]) {
      assert.equal(echo(db, text), text);
    }
  });

  test("of a number comes back as it was", async (t) => {
    const db = await openNotes(t);
    const numbers = [0, -1, 1.5, 2 ** 31, -(2 ** 31), 2 ** 53 - 1, 1e300, Infinity];
    for (const number of numbers) assert.equal(echo(db, number), number);
  });

  test("of bytes comes back as it was, and stays when the database moves on", async (t) => {
    const db = await openNotes(t);
    const bytes = Uint8Array.from({ length: 200_000 }, (_, index) => index);
    assert.deepEqual(echo(db, new Uint8Array()), new Uint8Array());
    const echoed = echo(db, bytes);
    echo(db, new Uint8Array(200_000));
    assert.deepEqual(echoed, bytes);
  });

  test("that is whole is an integer in a column of integers, beyond 32 bits too", async (t) => {
    const db = await openNotes(t);
    db.run("INSERT INTO notes (id) VALUES (?)", [2 ** 40]);
    assert.deepEqual(db.get("SELECT id, typeof(id) AS type FROM notes"), {
      id: 2 ** 40,
      type: "integer",
    });
  });

  test("of null is no value, also after another one", async (t) => {
    const db = await openNotes(t);
    assert.equal(echo(db, "something"), "something");
    assert.equal(echo(db, null), null);
  });

  test("of any other kind is refused", async (t) => {
    const db = await openNotes(t);
    for (const value of [undefined, true, 1n, {}, NaN]) {
      assert.throws(() => echo(db, value as never), TypeError);
    }
  });
});

describe("a statement", () => {
  test("answers its rows as plain objects", async (t) => {
    const db = await openNotes(t);
    db.run("INSERT INTO notes (text) VALUES (?), (?)", ["one", "two"]);
    assert.deepEqual(db.all("SELECT id, text FROM notes ORDER BY id"), [
      { id: 1, text: "one" },
      { id: 2, text: "two" },
    ]);
    assert.equal(db.get("SELECT id FROM notes WHERE text = ?", ["three"]), undefined);
  });

  test("answers how many rows it changed", async (t) => {
    const db = await openNotes(t);
    assert.equal(db.run("INSERT INTO notes (text) VALUES (?), (?)", ["one", "two"]), 2);
    assert.equal(db.run("DELETE FROM notes WHERE text = ?", ["three"]), 0);
  });

  test("with RETURNING changes every row, even when only the first is wanted", async (t) => {
    const db = await openNotes(t);
    db.run("INSERT INTO notes (text) VALUES (?), (?)", ["one", "two"]);
    assert.deepEqual(db.get("DELETE FROM notes RETURNING text"), { text: "one" });
    assert.equal(countNotes(db), 0);
  });

  test("needs as many parameters as it has", async (t) => {
    const db = await openNotes(t);
    assert.throws(() => db.get("SELECT ?, ?", [1]), TypeError);
    assert.throws(() => db.get("SELECT 1", [1]), TypeError);
  });

  test("that is wrong is refused, in words that tell nothing of it", async (t) => {
    const db = await openNotes(t);
    assert.throws(
      () => db.get("SELECT secret FROM nowhere"),
      (error: Error) => {
        assert.equal((error as { code?: string }).code, "failed");
        assert.doesNotMatch(error.message, /secret|nowhere/);
        return true;
      },
    );
  });

  test("that breaks a rule is refused as such, and works again afterwards", async (t) => {
    const db = await openNotes(t);
    addNote(db, "one");
    assert.throws(() => addNote(db, "one"), { code: "constraint" });
    addNote(db, "two");
    assert.equal(countNotes(db), 2);
  });

  test("works after a thousand others", async (t) => {
    const db = await openNotes(t);
    for (let round = 0; round < 2; round++) {
      for (let number = 0; number < 1000; number++) {
        assert.deepEqual(db.get(`SELECT ${number} AS number`), { number });
      }
    }
  });

  test("is refused once the database is closed", async (t) => {
    const db = await openNotes(t);
    await db.close();
    assert.throws(() => countNotes(db), { code: "failed" });
    assert.throws(() => db.transaction(() => 1), { code: "failed" });
    assert.throws(() => db.durable(), { code: "failed" });
  });
});

describe("a transaction", () => {
  test("keeps everything, and answers what its action does", async (t) => {
    const db = await openNotes(t);
    const answer = db.transaction(() => {
      addNote(db, "one");
      addNote(db, "two");
      return "done";
    });
    assert.equal(answer, "done");
    assert.equal(countNotes(db), 2);
  });

  test("keeps nothing when its action throws", async (t) => {
    const db = await openNotes(t);
    const problem = new Error("a reason");
    assert.throws(
      () =>
        db.transaction(() => {
          addNote(db, "one");
          throw problem;
        }),
      problem,
    );
    assert.equal(countNotes(db), 0);
  });

  test("within another is undone alone", async (t) => {
    const db = await openNotes(t);
    db.transaction(() => {
      addNote(db, "outer");
      assert.throws(() =>
        db.transaction(() => {
          addNote(db, "inner");
          db.transaction(() => addNote(db, "innermost"));
          throw new Error("a reason");
        }),
      );
      db.transaction(() => addNote(db, "another"));
    });
    assert.deepEqual(db.all("SELECT text FROM notes ORDER BY id"), [
      { text: "outer" },
      { text: "another" },
    ]);
  });

  test("within another is undone with it", async (t) => {
    const db = await openNotes(t);
    assert.throws(() =>
      db.transaction(() => {
        db.transaction(() => addNote(db, "inner"));
        throw new Error("a reason");
      }),
    );
    assert.equal(countNotes(db), 0);
  });

  test("refuses an action that answers a promise, and keeps nothing of it", async (t) => {
    const db = await openNotes(t);
    const action = async (): Promise<void> => addNote(db, "one");
    assert.throws(() => db.transaction(action), TypeError);
    assert.equal(countNotes(db), 0);
  });

  test("keeps nothing when the commit of its batch breaks a rule", async (t) => {
    const db = await openNotes(t);
    // Foreign keys of notes are checked at the commit.
    const insert = (): number => db.run("INSERT INTO notes (answers) VALUES (?)", [77]);
    db.transaction(insert);
    await assert.rejects(db.durable()!, { code: "constraint" });
    assert.equal(countNotes(db), 0);
    db.transaction(() => addNote(db, "one"));
    assert.equal(countNotes(db), 1);
  });
});
