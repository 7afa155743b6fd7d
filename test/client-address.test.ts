import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { clientAddress, trustedProxies } from "../src/server/client-address.ts";
import { failure } from "./_expect.ts";
import { type TestServer, startServer } from "./_server.ts";

describe("the client's address", () => {
  const none = trustedProxies([]);
  const proxies = trustedProxies(["127.0.0.1", "10.0.0.0/8", "2001:db8::/32", "::1"]);

  test("is the socket's, whatever X-Forwarded-For says, unless a trusted proxy says it", () => {
    for (const forwarded of [null, "1.2.3.4", "127.0.0.1", "1.2.3.4, 127.0.0.1", "garbage", ""]) {
      assert.equal(clientAddress("127.0.0.1", forwarded, none), "127.0.0.1");
      assert.equal(clientAddress("203.0.113.9", forwarded, proxies), "203.0.113.9");
      assert.equal(clientAddress("11.0.0.1", forwarded, proxies), "11.0.0.1");
      assert.equal(clientAddress("2001:db9::1", forwarded, proxies), "2001:db9::1");
    }
  });

  test("is what a trusted proxy says, of either family", () => {
    for (const peer of ["127.0.0.1", "10.255.0.1", "2001:db8::7", "::1"]) {
      assert.equal(clientAddress(peer, "1.2.3.4", proxies), "1.2.3.4");
      assert.equal(clientAddress(peer, "2a00::1", proxies), "2a00::1");
    }
  });

  test("is an IPv4 address also where the socket or a proxy writes it as IPv6", () => {
    assert.equal(clientAddress("::ffff:203.0.113.9", null, none), "203.0.113.9");
    assert.equal(clientAddress("::ffff:10.0.0.1", "::ffff:1.2.3.4", proxies), "1.2.3.4");
    assert.equal(clientAddress("::FFFF:10.0.0.1", "1.2.3.4", proxies), "1.2.3.4");
    assert.equal(
      clientAddress("10.0.0.1", "1.2.3.4", trustedProxies(["::ffff:10.0.0.0/104"])),
      "1.2.3.4",
    );
  });

  test("is found behind several trusted proxies", () => {
    assert.equal(clientAddress("127.0.0.1", "1.2.3.4, 10.0.0.1, 2001:db8::1", proxies), "1.2.3.4");
    assert.equal(clientAddress("127.0.0.1", "1.2.3.4,10.0.0.1 ,\t10.0.0.2", proxies), "1.2.3.4");
  });

  test("cannot be forged at the start of the header", () => {
    assert.equal(clientAddress("127.0.0.1", "6.6.6.6, 1.2.3.4", proxies), "1.2.3.4");
    assert.equal(clientAddress("127.0.0.1", "10.0.0.6, 1.2.3.4, 10.0.0.1", proxies), "1.2.3.4");
    assert.equal(clientAddress("127.0.0.1", "127.0.0.1, 1.2.3.4", proxies), "1.2.3.4");
  });

  test("is the last trusted one's where the header says nothing of use", () => {
    for (const garbage of [
      "",
      ",",
      " , ",
      "unknown",
      "1.2.3",
      "1.2.3.4.5",
      "<b>",
      "1.2.3.4 5",
      "_x",
    ]) {
      assert.equal(clientAddress("10.0.0.1", garbage, proxies), "10.0.0.1");
      assert.equal(clientAddress("10.0.0.1", `1.2.3.4, ${garbage}, 10.0.0.2`, proxies), "10.0.0.2");
    }
    // All of them are trusted: the first one is the client.
    assert.equal(clientAddress("127.0.0.1", "10.0.0.3, 10.0.0.2", proxies), "10.0.0.3");
  });

  test("keeps its zone, and is never an error", () => {
    assert.equal(clientAddress("fe80::1%eth0", "1.2.3.4", none), "fe80::1%eth0");
    assert.equal(
      clientAddress("fe80::1%eth0", "1.2.3.4", trustedProxies(["fe80::/10"])),
      "1.2.3.4",
    );
  });

  test("in process is this machine's", () => {
    assert.equal(clientAddress(undefined, null, none), "127.0.0.1");
  });
});

describe("trusted proxies", () => {
  test("are addresses and ranges", () => {
    for (const range of ["1.2.3.4", "0.0.0.0/0", "::/0", "1.2.3.4/32", "::1/128", "fe80::/10"]) {
      trustedProxies([range]);
    }
  });

  test("are nothing else", () => {
    const ranges = [
      "",
      "x",
      "1.2.3",
      "1.2.3.4/33",
      "::1/129",
      "1.2.3.4/",
      "1.2.3.4/8/8",
      "1.2.3.4/-1",
    ];
    for (const range of [...ranges, "1.2.3.4/x", "1.2.3.4/1e1", "/8", "localhost", "10.0.0.0/ 8"]) {
      assert.throws(() => trustedProxies([range]), RangeError, range);
    }
  });
});

describe("behind a proxy", () => {
  const headers = (address: string) => ({ "x-forwarded-for": address });

  async function loggedAddress(server: TestServer, forwarded: string): Promise<string> {
    const ada = await server.register();
    const body = { title: "x" };
    await server.request("POST", "/api/v1/todos", {
      key: ada.key,
      body,
      headers: headers(forwarded),
    });
    return (await ada.client.activity.list()).data[0]!.ip_address;
  }

  test("the activity log shows the client's address if the proxy is trusted", async () => {
    await using trusting = await startServer({ proxies: trustedProxies(["127.0.0.0/8"]) });
    assert.equal(await loggedAddress(trusting, "6.6.6.6, 1.2.3.4"), "1.2.3.4");
    assert.equal(await loggedAddress(trusting, "garbage"), "127.0.0.1");
    await using plain = await startServer();
    assert.equal(await loggedAddress(plain, "1.2.3.4"), "127.0.0.1");
  });

  const login = (server: TestServer, email: string, password: string, address: string) =>
    server.request("POST", "/api/v1/auth/login", {
      body: { email, password },
      headers: headers(address),
    });

  test("logins are throttled for each client, not for the proxy", async () => {
    await using server = await startServer({ proxies: trustedProxies(["127.0.0.1"]) });
    const { user, password } = await server.register();
    for (let i = 0; i < 10; i += 1) {
      failure(await login(server, user.email, "wrong password", `6.6.6.${i}, 1.2.3.4`), 401);
    }
    failure(await login(server, user.email, password, "1.2.3.4"), 429);
    failure(await login(server, user.email, password, "9.9.9.9, 1.2.3.4"), 429);
    assert.equal((await login(server, user.email, password, "1.2.3.5")).status, 200);
  });

  test("that is not trusted, nobody escapes the throttling by a forged header", async () => {
    await using server = await startServer();
    const { user, password } = await server.register();
    for (let i = 0; i < 10; i += 1) {
      failure(await login(server, user.email, "wrong password", `6.6.6.${i}`), 401);
    }
    failure(await login(server, user.email, password, "6.6.6.99"), 429);
  });
});
