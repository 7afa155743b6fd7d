import assert from "node:assert/strict";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";

import { throughSymlink } from "../src/storage/lock-path.ts";
import { ask, openLockSocket } from "../src/storage/lock-socket.ts";
import { acquireLock, findHolder } from "../src/storage/lock.ts";
import { startRacer, type Racer } from "./_lock-racer.ts";

const url = "http://127.0.0.1:8636";
const skip = process.platform === "win32";

describe("a lock", { skip }, () => {
  test("refuses another process, and names the server that holds it", async (t) => {
    const folder = makeFolder(t);
    const holder = await startRacer(t, folder);
    await holder.say("acquire");
    await holder.say(`announce ${url}`);

    await assert.rejects(acquireLock(folder), { code: "locked", message: /127\.0\.0\.1:8636/ });
    assert.equal(await holder.say("holds"), "true");
  });

  test("refuses a second claim of its own process", async (t) => {
    const folder = makeFolder(t);
    const lock = await acquireLock(folder);
    await assert.rejects(acquireLock(folder), { code: "locked" });
    await lock.release();
  });

  test("leaves nothing behind when released", async (t) => {
    const folder = makeFolder(t);
    const lock = await acquireLock(folder);
    await lock.release();
    assert.equal(lock.holds(), false);
    assert.deepEqual(readdirSync(folder), []);
  });

  test("is no longer held once its socket was deleted", async (t) => {
    const folder = makeFolder(t);
    const lock = await acquireLock(folder);
    assert.equal(lock.holds(), true);
    rmSync(join(folder, ".lock"), { recursive: true });
    assert.equal(lock.holds(), false);
    await lock.release();
  });

  test("does not keep a finished process alive", async (t) => {
    const holder = await startRacer(t, makeFolder(t));
    assert.match(await holder.say("acquire"), /^held /);
    assert.equal(await holder.finish(), 0);
  });

  test("answers although many clients connect and never close", async (t) => {
    const folder = makeFolder(t);
    const lock = await acquireLock(folder);
    lock.announce({ url });
    const path = join(folder, ".lock", readdirSync(join(folder, ".lock"))[0] ?? "");
    const idle = Array.from({ length: 200 }, () => connect({ path, allowHalfOpen: true }));
    t.after(() => idle.forEach((socket) => socket.destroy()));
    await Promise.all(idle.map((socket) => once(socket, "connect")));

    assert.deepEqual(await findHolder(folder), { url });
    await lock.release();
  });
});

describe("a lock whose holder dies or stops", { skip }, () => {
  test("is free at once when the holder was killed", async (t) => {
    const folder = makeFolder(t);
    const holder = await startRacer(t, folder);
    await holder.say("acquire");
    await holder.kill();

    await (await acquireLock(folder)).release();
  });

  test("stays with a stopped holder", async (t) => {
    const folder = makeFolder(t);
    const holder = await startRacer(t, folder);
    await holder.say("acquire");
    holder.signal("SIGSTOP");

    await assert.rejects(acquireLock(folder), { code: "locked" });
    holder.signal("SIGCONT");
    assert.equal(await holder.say("holds"), "true");
  });

  test("is free at once when a stopped holder was killed", async (t) => {
    const folder = makeFolder(t);
    const holder = await startRacer(t, folder);
    await holder.say("acquire");
    holder.signal("SIGSTOP");
    await holder.kill();

    await (await acquireLock(folder)).release();
  });

  test("goes to exactly one of six that ask at the same moment", async (t) => {
    const folder = makeFolder(t);
    const racers = await Promise.all(Array.from({ length: 6 }, () => startRacer(t, folder)));
    for (let round = 0; round < 6; round++) {
      const answers = await Promise.all(racers.map((racer) => racer.say("acquire")));
      const winners = answers.filter((answer) => answer.startsWith("held "));
      assert.equal(winners.length, 1, answers.join("\n"));
      const index = answers.findIndex((answer) => answer.startsWith("held "));
      await racers[index]?.kill();
      racers[index] = await startRacer(t, folder);
    }
  });

  test("goes to one that asks all the time, and never before the death", async (t) => {
    const folder = makeFolder(t);
    let holder = await startRacer(t, folder);
    await holder.say("acquire");
    const others = await Promise.all(Array.from({ length: 5 }, () => startRacer(t, folder)));
    const waiting = new Map(others.map((racer) => [racer, untilHeld(racer)]));
    while (waiting.size > 0) {
      const killed = process.hrtime.bigint();
      await holder.kill();
      const next = await Promise.race(waiting.values());
      assert.ok(next.time > killed, "taken while the last holder was alive");
      waiting.delete(next.racer);
      holder = next.racer;
    }
  });
});

describe("the names in a lock folder", { skip }, () => {
  test("of the dead are removed by the winner", async (t) => {
    const folder = makeFolder(t);
    const dead = await makeDeadName(folder);
    const lock = await acquireLock(folder);
    assert.equal(existsSync(dead), false);
    await lock.release();
  });

  test("of the dead are left alone by those who are refused", async (t) => {
    const folder = makeFolder(t);
    const lock = await acquireLock(folder);
    const dead = await makeDeadName(folder);
    await assert.rejects(acquireLock(folder), { code: "locked" });
    assert.equal(existsSync(dead), true);
    await lock.release();
  });

  test("of the administration says nothing of who holds the lock", async (t) => {
    const folder = makeFolder(t);
    mkdirSync(join(folder, ".lock"));
    const admin = createServer().listen(join(folder, ".lock", "admin"));
    t.after(() => admin.close());
    await once(admin, "listening");
    assert.equal(await findHolder(folder), undefined);
    await (await acquireLock(folder)).release();
    assert.deepEqual(readdirSync(folder), []);
  });

  test("that are no sockets neither hold the lock nor are removed", async (t) => {
    const folder = makeFolder(t);
    mkdirSync(join(folder, ".lock", "folder"), { recursive: true });
    writeFileSync(join(folder, ".lock", "file"), "");
    const lock = await acquireLock(folder);
    await lock.release();
    assert.deepEqual(readdirSync(join(folder, ".lock")).toSorted(), ["file", "folder"]);
  });
});

describe("a folder whose path is too long for a socket", { skip }, () => {
  test("is locked for all, whichever path they reach it by", async (t) => {
    const short = makeFolder(t);
    const long = join(short, "x".repeat(200));
    mkdirSync(long);
    const link = join(short, "link");
    symlinkSync(long, link);
    const holder = await startRacer(t, long);
    assert.match(await holder.say("acquire"), /^held /);

    for (const path of [long, link]) {
      await assert.rejects(acquireLock(path), { code: "locked" });
    }
    await holder.kill();
    const lock = await acquireLock(link);
    assert.equal(lock.holds(), true);
    const late = await startRacer(t, long);
    assert.match(await late.say("acquire"), /^refused /);
    await lock.release();
    assert.deepEqual(readdirSync(long), []);
  });

  test("is reached by a short-lived symbolic link where there is no /proc", async (t) => {
    const temporary = makeFolder(t);
    const long = join(temporary, "x".repeat(200));
    mkdirSync(long);
    const sockets = throughSymlink(long, temporary);
    const socket = await openLockSocket(sockets.address("name"));
    assert.deepEqual(await ask(sockets.address("name")), { state: "contending" });
    sockets.close();
    assert.deepEqual(readdirSync(temporary), ["x".repeat(200)]);
    assert.deepEqual(readdirSync(long), ["name"]);
    socket.close();
  });

  test("is refused clearly when that link cannot be short either", (t) => {
    const temporary = join(makeFolder(t), "x".repeat(200));
    mkdirSync(temporary);
    assert.throws(() => throughSymlink(temporary, temporary), {
      code: "not_writable",
      message: /shorter path/,
    });
  });
});

describe("a folder that cannot be locked", { skip }, () => {
  test("is refused with what to do when it is not writable", async (t) => {
    const folder = makeFolder(t);
    chmodSync(folder, 0o555);
    // Permissions do not bind root, so its test asks as somebody else.
    const racer = await startRacer(t, folder, process.getuid?.() === 0 ? { uid: 65534 } : {});
    assert.match(await racer.say("acquire"), /^refused .*not_writable.*write permission/);
  });
});

describe("findHolder", { skip }, () => {
  test("finds the URL that the holder announced", async (t) => {
    const folder = makeFolder(t);
    const holder = await startRacer(t, folder);
    await holder.say("acquire");
    await holder.say(`announce ${url}`);
    assert.deepEqual(await findHolder(folder), { url });
  });

  test("finds a holder that has announced nothing", async (t) => {
    const folder = makeFolder(t);
    const lock = await acquireLock(folder);
    assert.deepEqual(await findHolder(folder), {});
    await lock.release();
  });

  test("finds a holder that does not answer", async (t) => {
    const folder = makeFolder(t);
    const holder = await startRacer(t, folder);
    await holder.say("acquire");
    holder.signal("SIGSTOP");
    assert.deepEqual(await findHolder(folder), {});
  });

  test("finds nobody once the holder was killed", async (t) => {
    const folder = makeFolder(t);
    const holder = await startRacer(t, folder);
    await holder.say("acquire");
    await holder.kill();
    assert.equal(await findHolder(folder), undefined);
  });

  test("finds nobody in a fresh or missing folder, and creates nothing", async (t) => {
    const folder = makeFolder(t);
    assert.equal(await findHolder(folder), undefined);
    assert.equal(await findHolder(join(folder, "missing")), undefined);
    assert.deepEqual(readdirSync(folder), []);
  });
});

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "todo-lock-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A socket whose listener is gone, as a killed process leaves it. */
async function makeDeadName(folder: string): Promise<string> {
  mkdirSync(join(folder, ".lock"), { recursive: true });
  const path = join(folder, ".lock", "dead");
  const server = createServer().listen(`${path}-`);
  await once(server, "listening");
  // Closing removes the name that was bound, so it goes by another one.
  renameSync(`${path}-`, path);
  server.close();
  return path;
}

async function untilHeld(racer: Racer): Promise<{ racer: Racer; time: bigint }> {
  for (;;) {
    const [state, time = "0"] = (await racer.say("acquire")).split(" ");
    if (state !== "refused") return { racer, time: BigInt(time) };
  }
}
