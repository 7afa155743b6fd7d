import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { trustedProxies } from "../src/server/client-address.ts";
import { createAuth } from "../src/services/auth.ts";
import { createPasswords } from "../src/services/passwords.ts";
import { createThrottle } from "../src/services/throttle.ts";
import { createTokens } from "../src/services/tokens.ts";
import { failure, refused } from "./_expect.ts";
import { type RawResponse, type TestServer, startServer } from "./_server.ts";
import { openStore } from "./_store.ts";

const minute = 60_000;
const password = "correct horse";
const endpoints = ["login", "jwt/login", "api-key"] as const;

interface Attempt {
  password?: string;
  path?: (typeof endpoints)[number];
  /** Where the attempt comes from, by the word of a trusted proxy. */
  from?: string;
}

/** Tries to log in, with a wrong password unless one is given. */
function attempt(server: TestServer, email: string, options: Attempt = {}): Promise<RawResponse> {
  const { password: tried = "wrong password", path = "login", from } = options;
  return server.request("POST", `/api/v1/auth/${path}`, {
    body: { email, password: tried },
    ...(from !== undefined && { headers: { "x-forwarded-for": from } }),
  });
}

async function fail(
  server: TestServer,
  email: string,
  times: number,
  options?: Attempt,
): Promise<void> {
  for (let i = 0; i < times; i += 1) failure(await attempt(server, email, options), 401);
}

describe("failed logins", () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ proxies: trustedProxies(["127.0.0.1"]) });
  });
  after(() => server[Symbol.asyncDispose]());

  /** An account that nobody has failed to open yet. */
  const newUser = () => server.register({ email: `Ada.${randomUUID()}@example.org` });
  const newEmail = async () => (await newUser()).user.email;

  test("are refused after the tenth, with the right password too", async () => {
    const email = await newEmail();
    await fail(server, email, 10);
    for (const tried of ["wrong password", password]) {
      const response = await attempt(server, email, { password: tried });
      failure(response, 429, "Too many failed logins. Try again later.");
      assert.deepEqual(Object.keys(response.body), ["success", "message"]);
      assert.equal(response.headers.get("retry-after"), "900");
    }
  });

  test("of an unknown e-mail are refused alike", async () => {
    const answers: RawResponse[] = [];
    for (const email of [await newEmail(), `${randomUUID()}@example.org`]) {
      await fail(server, email, 10);
      answers.push(await attempt(server, email));
    }
    const [known, unknown] = answers;
    failure(unknown!, 429);
    assert.equal(unknown!.text, known!.text);
  });

  test("share one count among the three endpoints", async () => {
    const email = await newEmail();
    for (const path of endpoints) await fail(server, email, 3, { path });
    await fail(server, email, 1);
    for (const path of endpoints) failure(await attempt(server, email, { path, password }), 429);
  });

  test("count for the e-mail in any case", async () => {
    const email = await newEmail();
    await fail(server, email.toUpperCase(), 5);
    await fail(server, email.toLowerCase(), 5);
    failure(await attempt(server, email, { password }), 429);
  });

  test("count for each e-mail alone", async () => {
    await fail(server, await newEmail(), 10);
    assert.equal((await attempt(server, await newEmail(), { password })).status, 200);
  });

  test("count for each address alone", async () => {
    const email = await newEmail();
    await fail(server, email, 10, { from: "203.0.113.1" });
    failure(await attempt(server, email, { password, from: "203.0.113.1" }), 429);
    const elsewhere = await attempt(server, email, { password, from: "203.0.113.2" });
    assert.equal(elsewhere.status, 200);
    failure(await attempt(server, email, { password, from: "203.0.113.1" }), 429);
  });

  test("count for all addresses of an IPv6 network, of which one client has as many as it likes", async () => {
    const email = await newEmail();
    for (let i = 0; i < 10; i += 1) await fail(server, email, 1, { from: `2001:db8:0:7::${i}` });
    failure(await attempt(server, email, { password, from: "2001:db8:0:7:ffff::1" }), 429);
    const elsewhere = await attempt(server, email, { password, from: "2001:db8:0:8::1" });
    assert.equal(elsewhere.status, 200);
  });

  test("gain nothing from an address that the client makes up", async () => {
    await using own = await startServer();
    const { user } = await own.register();
    for (let i = 0; i < 10; i += 1) await fail(own, user.email, 1, { from: `203.0.113.${i}` });
    failure(await attempt(own, user.email, { password, from: "203.0.113.99" }), 429);
  });

  test("are forgotten after a success", async () => {
    const email = await newEmail();
    for (const path of endpoints) {
      await fail(server, email, 9);
      assert.equal((await attempt(server, email, { path, password })).status, 200);
    }
    await fail(server, email, 10);
    failure(await attempt(server, email, { password }), 429);
  });

  test("are only those with a wrong password: a wrong shape is none", async () => {
    const email = await newEmail();
    for (let i = 0; i < 12; i += 1) {
      failure(await attempt(server, email, { path: "api-key", password: "short" }), 422);
    }
    assert.equal((await attempt(server, email, { password })).status, 200);
  });

  test("close neither registration nor the keys that exist", async () => {
    const { client, user } = await newUser();
    const { email } = user;
    await fail(server, email, 10);
    const register = server.client().auth.register({ body: { email, password, name: "Ada" } });
    await refused(register, "conflict");
    await client.todos.list();
  });

  test("that are registrations are not counted", async () => {
    const email = await newEmail();
    const again = () => server.client().auth.register({ body: { email, password, name: "Ada" } });
    for (let i = 0; i < 12; i += 1) await refused(again(), "conflict");
    for (let i = 0; i < 12; i += 1) await server.register();
    assert.equal((await attempt(server, email, { password })).status, 200);
  });

  describe("in the course of time", () => {
    test("open the account again after 15 minutes, as Retry-After said", async () => {
      await using own = await startServer();
      const { email } = (await own.register()).user;
      await fail(own, email, 10);
      own.advance(15 * minute - 1);
      const last = await attempt(own, email, { password });
      failure(last, 429);
      assert.equal(last.headers.get("retry-after"), "1");
      own.advance(1);
      assert.equal((await attempt(own, email, { password })).status, 200);
    });

    test("leave the count one by one", async () => {
      await using own = await startServer();
      const { email } = (await own.register()).user;
      await fail(own, email, 4);
      own.advance(10 * minute);
      await fail(own, email, 6);
      const full = await attempt(own, email);
      assert.equal(full.headers.get("retry-after"), "300");
      own.advance(5 * minute);
      await fail(own, email, 4);
      assert.equal((await attempt(own, email)).headers.get("retry-after"), "600");
    });

    test("do not count while they are refused", async () => {
      await using own = await startServer();
      const { email } = (await own.register()).user;
      await fail(own, email, 10);
      own.advance(14 * minute);
      for (let i = 0; i < 10; i += 1) failure(await attempt(own, email), 429);
      own.advance(minute);
      await fail(own, email, 10);
    });
  });

  describe("at once", () => {
    // Slow enough that all have arrived before the first is decided.
    const start = () => startServer({ passwordCost: 8 });
    const tryAtOnce = async (own: TestServer, email: string, count: number, tried?: string) => {
      const options = tried === undefined ? {} : { password: tried };
      const all = await Promise.all(
        Array.from({ length: count }, () => attempt(own, email, options)),
      );
      return (status: number) => all.filter((response) => response.status === status).length;
    };

    test("gain nothing", async () => {
      await using own = await start();
      const { email } = (await own.register()).user;
      const answers = await tryAtOnce(own, email, 30);
      assert.deepEqual([answers(401), answers(429)], [10, 20]);
    });

    test("get no more than what is left of the ten", async () => {
      await using own = await start();
      const { email } = (await own.register()).user;
      await fail(own, email, 8);
      const answers = await tryAtOnce(own, email, 12);
      assert.deepEqual([answers(401), answers(429)], [2, 10]);
    });

    test("are none when the password is right, however many come", async () => {
      await using own = await start();
      const { email } = (await own.register()).user;
      const answers = await tryAtOnce(own, email, 30, password);
      assert.equal(answers(200), 30);
    });
  });
});

describe("the throttle", () => {
  const client = { ip: "203.0.113.1", userAgent: "" };

  test("counts no attempt that came to no result", async () => {
    const throttle = createThrottle(() => 0);
    for (let i = 0; i < 20; i += 1) (await throttle.attempt("a", client)).abandoned();
    for (let i = 0; i < 10; i += 1) (await throttle.attempt("a", client)).failed();
    await assert.rejects(throttle.attempt("a", client), { code: "too_many_requests" });
  });

  test("waits for no login that the database has failed", async (t) => {
    await using store = await openStore();
    const passwords = createPasswords({ cost: 4 });
    t.after(() => passwords.close());
    const context = { db: store.db, now: Date.now, newId: randomUUID };
    const auth = createAuth({
      ...context,
      passwords,
      tokens: createTokens(context, Buffer.alloc(32)),
      throttle: createThrottle(Date.now),
      registrationOpen: true,
    });
    const body = { email: "ada@example.org", password };
    const login = async () => auth.login(client, { params: {}, query: undefined, body });
    const get = t.mock.method(context.db, "get", () => {
      throw new Error("no space for a page that the read displaces");
    });
    for (let i = 0; i < 10; i += 1) await assert.rejects(login(), /no space/);
    get.mock.restore();
    await refused(login(), "unauthorized");
  });

  test("lets everybody try again when the clock is set back", async () => {
    let now = Date.parse("2036-01-01");
    const throttle = createThrottle(() => now);
    for (let i = 0; i < 10; i += 1) (await throttle.attempt("a", client)).failed();
    await assert.rejects(throttle.attempt("a", client), { code: "too_many_requests" });
    now = Date.parse("2026-01-01");
    (await throttle.attempt("a", client)).abandoned();
  });

  test("remembers 10,000 e-mails, and forgets the one that was tried longest ago", async () => {
    const throttle = createThrottle(() => 0);
    const fill = async (email: string) => {
      for (let i = 0; i < 10; i += 1) (await throttle.attempt(email, client)).failed();
    };
    const others = async (from: number, to: number) => {
      for (let i = from; i < to; i += 1) (await throttle.attempt(`${i}`, client)).failed();
    };
    await fill("first");
    await fill("second");
    await others(0, 9998);
    await assert.rejects(throttle.attempt("first", client), { code: "too_many_requests" });
    await others(9998, 9999);
    await assert.rejects(throttle.attempt("first", client), { code: "too_many_requests" });
    (await throttle.attempt("second", client)).abandoned();
  });

  test("is not made to forget by attempts that came to no result or succeeded", async () => {
    const throttle = createThrottle(() => 0);
    for (let i = 0; i < 10; i += 1) (await throttle.attempt("a", client)).failed();
    for (let i = 0; i < 6000; i += 1) {
      (await throttle.attempt(`abandoned ${i}`, client)).abandoned();
      (await throttle.attempt(`succeeded ${i}`, client)).succeeded();
    }
    await assert.rejects(throttle.attempt("a", client), { code: "too_many_requests" });
  });

  test("holds little memory, however long the e-mails are", async () => {
    setFlagsFromString("--expose-gc");
    const collectGarbage = runInNewContext("gc") as () => void;
    const heap = () => {
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const throttle = createThrottle(() => 0);
    const [count, length] = [100, 1024 * 1024];
    const atFirst = heap();
    for (let i = 0; i < count; i += 1) {
      (await throttle.attempt(`${i}${"x".repeat(length)}`, client)).failed();
    }
    const growth = heap() - atFirst;
    assert.ok(growth < (count * length) / 10, `${growth} bytes`);
    // Still needed, so that its memory was counted.
    (await throttle.attempt("a", client)).abandoned();
  });
});
