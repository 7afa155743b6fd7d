import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { getPriority } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { Worker } from "node:worker_threads";
import { compareSync } from "bcryptjs";
import { type InstanceOptions, openInstance } from "../src/server/instance.ts";
import { createLog } from "../src/server/log.ts";
import { type Passwords, createPasswords } from "../src/services/passwords.ts";
import { openDatabase } from "../src/storage/database.ts";
import { refused } from "./_expect.ts";
import { type TestServer, startServer, temporaryFolder } from "./_server.ts";

/** Passwords with a worker of their own, which ends with the scope. */
function startPasswords(
  options: Parameters<typeof createPasswords>[0],
): Passwords & AsyncDisposable {
  const passwords = createPasswords(options);
  return { ...passwords, [Symbol.asyncDispose]: () => passwords.close() };
}

interface InProcess extends AsyncDisposable {
  post(path: string, body: object): Promise<Response>;
  register(fields?: object): Promise<Response>;
}

/** The service without a socket, which could change the order in which requests arrive. */
async function startInProcess(options: Partial<InstanceOptions> = {}): Promise<InProcess> {
  const folder = temporaryFolder();
  const log = createLog({ format: "json", level: "silent", write: () => {}, now: Date.now });
  const instance = await openInstance({ folder: folder.path, log, ...options });
  const posted: Promise<Response>[] = [];
  const post: InProcess["post"] = (path, body) => {
    const request = { method: "POST", body: JSON.stringify(body) };
    const url = `http://localhost/api/v1/auth/${path}`;
    const response = Promise.resolve(instance.app.fetch(new Request(url, request)));
    posted.push(response);
    return response;
  };
  return {
    post,
    register: (fields) => {
      const email = `${randomUUID()}@example.org`;
      return post("register", { email, password: "correct horse", name: "Ada", ...fields });
    },
    async [Symbol.asyncDispose]() {
      // Gives up what still waits.
      await instance.close();
      await Promise.allSettled(posted);
      folder[Symbol.dispose]();
    },
  };
}

/** The priorities of the process's threads; the usual one is 0, larger ones come later. */
function threadPriorities(): number[] {
  return readdirSync("/proc/self/task").map((id) => {
    const stat = readFileSync(`/proc/self/task/${id}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(") ") + 2).split(" ")[16]);
  });
}

describe("passwords", () => {
  const skip = process.platform !== "linux";
  test("take their turn after everything else", { skip }, async () => {
    const usual = getPriority();
    assert.deepEqual(new Set(threadPriorities()), new Set([usual]));
    await using passwords = startPasswords({ cost: 5 });
    await passwords.hash("correct horse battery");
    const later = threadPriorities().filter((priority) => priority > usual);
    assert.equal(later.length, 1);
    assert.equal(getPriority(), usual);
  });

  test("are hashed by bcrypt, with a salt of their own and the given cost", async () => {
    await using passwords = startPasswords({ cost: 5 });
    const [first, second] = await Promise.all([
      passwords.hash("correct horse"),
      passwords.hash("correct horse"),
    ]);
    assert.match(first, /^\$2b\$05\$[./0-9A-Za-z]{53}$/);
    assert.notEqual(first, second);
    assert.ok(compareSync("correct horse", first));
  });

  test("match their own hash only, and never a hash that there is not", async () => {
    await using passwords = startPasswords({ cost: 4 });
    const kept = await passwords.hash("correct horse");
    assert.equal(await passwords.matches("correct horse", kept), true);
    assert.equal(await passwords.matches("Correct horse", kept), false);
    assert.equal(await passwords.matches("correct horse", undefined), false);
    assert.equal(await passwords.matches("", undefined), false);
  });

  test("answer those who ask at once each their own", async () => {
    await using passwords = startPasswords({ cost: 4 });
    const all = Array.from({ length: 20 }, (_, i) => `password ${i}`);
    const hashes = await Promise.all(all.map((one) => passwords.hash(one)));
    const wrong = all.map((one, i) => passwords.matches(one, hashes[(i + 1) % all.length]));
    const right = all.map((one, i) => passwords.matches(one, hashes[i]));
    assert.ok((await Promise.all(right)).every(Boolean));
    assert.ok(!(await Promise.all(wrong)).some(Boolean));
  });

  test("are hashed while the server answers other requests", async () => {
    await using server = await startServer({ passwordCost: 12 });
    const registered = server.register().then(() => true);
    const askHealth = async () => {
      assert.equal((await server.request("GET", "/health")).status, 200);
      return false;
    };
    let answered = 0;
    while (!(await Promise.race([registered, askHealth()]))) answered += 1;
    assert.ok(answered > 10, `${answered} requests`);
  });

  describe("when too many wait", () => {
    test("are refused, and taken again once there is room", async () => {
      await using passwords = startPasswords({ cost: 4, maxWaiting: 2 });
      const under = [passwords.hash("first one"), passwords.hash("second one")];
      assert.ok((await refused(passwords.hash("third one"), "busy")).retryAfter! > 0);
      await refused(passwords.matches("third one", undefined), "busy");
      await Promise.race(under);
      await passwords.hash("third one");
      await Promise.all(under);
    });

    test("answer 503 with Retry-After, before any of those that wait is answered", async () => {
      await using service = await startInProcess({ passwordCost: 13 });
      const all = Array.from({ length: 65 }, () => service.register());
      const first = await Promise.race(all);
      assert.equal(first.status, 503);
      assert.match(first.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
      const body = (await first.json()) as { success: boolean; message: string };
      assert.deepEqual(Object.keys(body), ["success", "message"]);
      assert.equal(body.success, false);
    });

    test("are no failed logins", async () => {
      await using service = await startInProcess({ passwordCost: 7 });
      const account = { email: "ada@example.org", password: "correct horse" };
      await service.register(account);
      const crowd = Array.from({ length: 80 }, () => service.register());
      const wrong = { ...account, password: "wrong password" };
      const logins = Array.from({ length: 20 }, () => service.post("login", wrong));
      const busy = (await Promise.all(logins)).filter(({ status }) => status === 503);
      assert.ok(busy.length > 10, `${busy.length}`);
      await Promise.all(crowd);
      assert.equal((await service.post("login", account)).status, 200);
    });
  });

  test("go on after a crash of their worker, which fails only what was under way", async () => {
    await using passwords = startPasswords({ cost: 4 });
    const kept = await passwords.hash("correct horse");
    // bcrypt throws about a version that it does not know, which ends the worker.
    const crash = passwords.matches("correct horse", "!".repeat(60));
    const behind = passwords.matches("correct horse", kept);
    await assert.rejects(crash, /Invalid salt version/);
    await assert.rejects(behind);
    assert.equal(await passwords.matches("correct horse", kept), true);
    assert.match(await passwords.hash("another"), /^\$2b\$04\$/);
  });

  test("need no thread for long, and get another one", async () => {
    const workers: Worker[] = [];
    const note = (message: unknown) => void workers.push((message as { worker: Worker }).worker);
    subscribe("worker_threads", note);
    await using passwords = startPasswords({ cost: 4, restMs: 10 });
    const hash = await passwords.hash("correct horse");
    const [first] = workers;
    // Nothing else keeps the process waiting for the thread.
    const alive = setInterval(() => {}, 1000);
    await once(first!, "exit");
    clearInterval(alive);
    assert.equal(await passwords.matches("correct horse", hash), true);
    assert.equal(workers.length, 2);
    unsubscribe("worker_threads", note);
  });

  test("that wait when the server stops are given up", async () => {
    const passwords = createPasswords({ cost: 15 });
    const hashing = assert.rejects(passwords.hash("correct horse"), /stopping/);
    await passwords.close();
    await hashing;
  });
});

describe("a login", () => {
  async function timeLogin(server: TestServer, email: string): Promise<number> {
    const started = performance.now();
    const body = { email, password: "wrong password" };
    const { status } = await server.request("POST", "/api/v1/auth/login", { body });
    assert.equal(status, 401);
    return performance.now() - started;
  }

  test("takes about as long for an unknown e-mail as for a known one", async () => {
    await using server = await startServer({ passwordCost: 10 });
    const { user } = await server.register();
    let [known, unknown] = [Infinity, Infinity];
    // The fastest of each: whatever else the machine does only makes them slower.
    for (let i = 0; i < 8; i += 1) {
      known = Math.min(known, await timeLogin(server, user.email));
      unknown = Math.min(unknown, await timeLogin(server, `${randomUUID()}@example.org`));
    }
    const ratio = unknown / known;
    assert.ok(ratio > 0.5 && ratio < 2, `${unknown} ms and ${known} ms`);
  });
});

describe("the data folder", () => {
  /** Every byte of the files in the folder. */
  function bytesOf(folder: string): Buffer {
    const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
    const files = paths.map((path) => join(folder, path)).filter((path) => statSync(path).isFile());
    return Buffer.concat(files.map((path) => readFileSync(path)));
  }

  test("holds neither passwords nor keys nor tokens, while it is in use and after", async () => {
    using folder = temporaryFolder();
    const secrets: string[] = [];
    const password = `password ${randomUUID()}`;
    const email = `${randomUUID()}@example.org`;
    let log: string[];
    {
      await using server = await startServer({ folder: folder.path });
      log = server.log;
      const { client, key } = await server.register({ email, password });
      const { auth } = server.client();
      const body = { email, password };
      const made = (await client.keys.create({ body: { name: "visible" } })).data;
      const legacy = (await auth.apiKey({ body })).data;
      const { token } = (await auth.jwtLogin({ body })).data;
      const refreshed = (await server.client({ token }).auth.jwtRefresh()).data;
      const wrong = `wrong ${randomUUID()}`;
      await refused(auth.login({ body: { email, password: wrong } }), "unauthorized");
      await client.keys.remove({ params: { id: made.id } });
      await server.client({ key: legacy.key }).todos.list();
      await refused(server.client({ key: made.key }).todos.list(), "unauthorized");
      secrets.push(password, wrong, key, made.key, legacy.key, token, refreshed.token);
      check(bytesOf(folder.path));
    }
    check(bytesOf(folder.path));
    for (const secret of secrets) assert.ok(!log.join("\n").includes(secret), "in the log");

    function check(bytes: Buffer): void {
      // What is known to be there proves that the search finds things.
      for (const text of [email, "visible", secrets[2]!.slice(0, 12)]) {
        assert.ok(bytes.includes(text), text);
      }
      for (const secret of secrets) {
        assert.ok(!bytes.includes(secret), secret);
        // Not a good part of it either.
        assert.ok(!bytes.includes(secret.slice(-20)), secret);
      }
    }
  });

  test("holds each password as a bcrypt hash of cost 10 by default", async () => {
    using folder = temporaryFolder();
    const password = "correct horse";
    {
      await using service = await startInProcess({ folder: folder.path });
      await service.register({ password });
    }
    const db = await openDatabase({ folder: folder.path });
    const [user] = db.all<{ password_hash: string }>("SELECT password_hash FROM users");
    await db.close();
    assert.match(user!.password_hash, /^\$2b\$10\$/);
    assert.ok(compareSync(password, user!.password_hash));
  });
});
