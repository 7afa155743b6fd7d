import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import https from "node:https";
import { connect } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { before, describe, test } from "node:test";
import { H3 } from "h3";
import type { Certificate } from "../src/server/certificate.ts";
import { readCertificateFiles } from "../src/server/certificate-files.ts";
import { type ConnectionLimits, type Listener, listen } from "../src/server/listen.ts";
import { ownCertificate } from "../src/server/own-certificate.ts";
import { makeCertificate, shownBy, writeCertificate } from "./_certificates.ts";
import { type ServerProcess, runCommand, startProcess } from "./_process.ts";
import { connectRaw, sendRaw } from "./_raw.ts";
import { type TestServer, startServer, temporaryFolder } from "./_server.ts";

const day = 86_400_000;
const health = "GET /health HTTP/1.1\r\n\r\n";

/** The status of an answer, or the code of what is wrong with the server. */
function get(url: string, options: https.RequestOptions = {}): Promise<number | string> {
  return new Promise((resolve) => {
    https
      .get(url, { agent: false, ...options }, (response) => {
        response.resume();
        resolve(response.statusCode!);
      })
      .on("error", ({ code }: NodeJS.ErrnoException) => resolve(code!));
  });
}

/** With the real clock, by which certificates are made. */
function startSelfSigned(folder: string): Promise<TestServer> {
  return startServer({ folder, certificate: "self-signed", now: Date.now });
}

describe("a self-signed certificate", () => {
  test("is kept between starts, with its key, for this user only", async () => {
    using folder = temporaryFolder();
    const shown: string[] = [];
    for (let start = 1; start <= 2; start += 1) {
      await using server = await startSelfSigned(folder.path);
      assert.match(server.url, /^https:/);
      shown.push(await shownBy(server.url));
      for (const name of readdirSync(folder.path).filter((file) => file.startsWith("https"))) {
        assert.equal(statSync(join(folder.path, name)).mode & 0o777, 0o600, name);
      }
      assert.ok(JSON.parse(server.log[0]!).message.includes(`SHA-256 ${shown[0]}`), server.log[0]);
    }
    assert.equal(shown[0], shown[1]);
    assert.ok(
      !readFileSync(join(folder.path, "https-certificate.pem"), "utf8").includes("PRIVATE KEY"),
    );
  });

  test("is trusted by those who are given it, under each of its names, and by nobody else", async () => {
    using folder = temporaryFolder();
    await using server = await startSelfSigned(folder.path);
    const ca = readFileSync(join(server.folder, "https-certificate.pem"));
    const { port } = new URL(server.url);
    for (const name of ["127.0.0.1", "localhost"]) {
      assert.equal(await get(`https://${name}:${port}/health`, { ca }), 200);
    }
    assert.equal(await get(`${server.url}/health`), "DEPTH_ZERO_SELF_SIGNED_CERT");
    const certificate = new X509Certificate(ca);
    for (const name of ["localhost", hostname(), `${hostname()}.local`]) {
      assert.ok(certificate.checkHost(name) !== undefined, name);
    }
    assert.ok(certificate.checkIP("::1") !== undefined);
  });

  test("is made anew before it ends, when the host is another, or when it is broken", async () => {
    using folder = temporaryFolder();
    const now = Date.now();
    const own = async (host: string, at: number) =>
      (await ownCertificate(folder.path, host, at)).sha256;
    const first = await own("0.0.0.0", now);
    assert.equal(await own("127.0.0.1", now + 360 * day), first);
    const second = await own("0.0.0.0", now + 370 * day);
    assert.notEqual(second, first);
    const third = await own("192.0.2.77", now);
    assert.notEqual(third, second);
    assert.equal(await own("192.0.2.77", now), third);
    const [file = ""] = readdirSync(folder.path);
    writeFileSync(join(folder.path, file), "not a certificate");
    assert.notEqual(await own("192.0.2.77", now), third);
    const fourth = await own("192.0.2.77", now);
    // A clock that is not set yet says nothing about it.
    assert.equal(await own("192.0.2.77", 0), fourth);
    // One that was ahead, and is set right.
    assert.notEqual(await own("192.0.2.77", now - 2 * day), fourth);
  });
});

describe("a certificate from files", () => {
  test("is refused in words that say what is wrong", async () => {
    using folder = temporaryFolder();
    const files = await writeCertificate(folder.path);
    assert.ok(readCertificateFiles(files).covers("todo.example.org"));
    const path = (name: string, text: string) => {
      writeFileSync(join(folder.path, name), text);
      return join(folder.path, name);
    };
    const other = path("other.pem", (await makeCertificate("other.example.org")).key);
    const nonsense = path("nonsense.pem", "nonsense");
    const encrypted = path("encrypted.pem", "-----BEGIN ENCRYPTED PRIVATE KEY-----\n");
    for (const [wrong, message] of [
      [{ ...files, cert: "/nowhere/cert.pem" }, /cert\.pem cannot be read: there is no such file/],
      [{ ...files, key: folder.path }, /cannot be read: it is a folder/],
      [{ ...files, key: other }, /other\.pem is not that of the certificate in .*cert\.pem/],
      [{ ...files, cert: nonsense }, /nonsense\.pem is not a certificate/],
      [{ ...files, key: nonsense }, /nonsense\.pem is not a private key/],
      [{ ...files, key: encrypted }, /encrypted\.pem is encrypted.*openssl pkey/],
    ] as const) {
      assert.throws(() => readCertificateFiles(wrong), { name: "CertificateError", message });
    }
  });

  test("needs both files, and no --https", async () => {
    for (const [flags, message] of [
      [["--tls-cert", "a"], /--tls-key/],
      [["--tls-key", "a"], /--tls-cert/],
      [["--https", "--tls-cert", "a", "--tls-key", "b"], /one of them/],
    ] as const) {
      const { code, stderr } = await runCommand(["serve", ...flags]);
      assert.match(stderr, message);
      assert.equal(code, 2);
    }
  });

  test("that is not there ends the start with a sentence, and leaves the folder in order", async () => {
    using folder = temporaryFolder();
    const flags = ["--tls-cert", "/nowhere/c.pem", "--tls-key", "/nowhere/k.pem", "--port", "0"];
    const { code, stderr } = await runCommand(["serve", "--data", folder.path, ...flags]);
    assert.equal(stderr, "todo: /nowhere/c.pem cannot be read: there is no such file.\n");
    assert.equal(code, 1);
    assert.deepEqual(readdirSync(folder.path), ["todo.db"]);
  });

  test("that has expired is served, with a warning", async () => {
    using folder = temporaryFolder();
    const files = await writeCertificate(folder.path);
    const { cert, key } = await makeCertificate("todo.example.org", -1);
    writeFileSync(files.cert, cert);
    writeFileSync(files.key, key);
    await using server = await startServer({ certificate: files, now: Date.now });
    assert.equal((await sendRaw(server.url, health))?.status, 200);
    assert.ok(server.log.some((line) => /"warn".*has expired/.test(line)));
  });
});

/** Waits until the log has such a line. */
async function logged(server: ServerProcess, pattern: RegExp): Promise<void> {
  const end = Date.now() + 60_000;
  while (!server.stderr.some((line) => pattern.test(line))) {
    assert.ok(Date.now() < end, server.stderr.join("\n"));
    await sleep(10);
  }
}

describe("SIGHUP", () => {
  test("makes a server show a new certificate, on new connections; a broken one changes nothing", async () => {
    using folder = temporaryFolder();
    using keys = temporaryFolder();
    const files = await writeCertificate(keys.path);
    const env = { TODO_TLS_CERT: files.cert, TODO_TLS_KEY: files.key };
    await using server = await startProcess({ folder: folder.path, env });
    const first = await shownBy(server.url);
    using connection = await connectRaw(server.url);
    connection.socket.write(health);
    assert.equal((await connection.answer())?.status, 200);

    await writeCertificate(keys.path);
    server.kill("SIGHUP");
    await logged(server, new RegExp(`SHA-256 (?!${first})`));
    const second = await shownBy(server.url);
    assert.notEqual(second, first);

    writeFileSync(files.key, "nonsense");
    server.kill("SIGHUP");
    await logged(server, /cannot be used, so the old one stays: .*key\.pem is not a private key/);
    assert.equal(await shownBy(server.url), second);

    connection.socket.write(health);
    assert.equal((await connection.answer())?.status, 200);
    server.kill("SIGTERM");
    assert.deepEqual(await server.exit, { code: 0, signal: null });
  });
});

describe("an https port", () => {
  let certificate: Certificate;
  before(async () => {
    using folder = temporaryFolder();
    certificate = await ownCertificate(folder.path, "127.0.0.1", Date.now());
  });

  interface Held extends AsyncDisposable {
    listener: Listener;
    warnings: string[];
    arrived: Promise<void>;
    release(): void;
  }

  /** A server whose path /held is answered when it is told to. */
  async function start(limits: Partial<ConnectionLimits> = {}): Promise<Held> {
    const warnings: string[] = [];
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    let arrive = () => {};
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    const app = new H3({ silent: true });
    app.get("/held", async () => {
      arrive();
      await released;
      return "done";
    });
    app.get("/**", () => "ok");
    const log = {
      warn: (line: string) => void warnings.push(line),
      error: (text: string) => assert.fail(text),
    };
    const options = { host: "127.0.0.1", port: 0, certificate, log, limits };
    const listener = await listen(app, options);
    return {
      listener,
      warnings,
      arrived,
      release,
      async [Symbol.asyncDispose]() {
        release();
        await listener.close(0);
      },
    };
  }

  test("tells who speaks http that it is one, in the log too", async () => {
    await using server = await start();
    const answer = await sendRaw(server.listener.url.replace("https:", "http:"), health);
    assert.equal(answer?.status, 400);
    assert.deepEqual(JSON.parse(answer.body), {
      success: false,
      message: "This port speaks https, not http",
    });
    assert.equal(answer.headers["connection"], "close");
    assert.deepEqual(server.warnings, [
      "Refused before it reached the API: 400 This port speaks https, not http",
    ]);
  });

  test("survives what is no handshake, and clients that vanish within one", async () => {
    await using server = await start();
    const { port } = new URL(server.listener.url);
    for (const opening of [
      Buffer.from([0x16]),
      Buffer.from("\x16\x03\x01nonsense"),
      Buffer.of(0),
    ]) {
      const socket = connect(Number(port), "127.0.0.1");
      socket.on("error", () => {});
      await once(socket, "connect");
      socket.write(opening);
      await new Promise((resolve) => setImmediate(resolve));
      socket.resetAndDestroy();
    }
    assert.equal((await sendRaw(server.listener.url, health))?.status, 200);
  });

  test("understands a handshake that comes in pieces", async () => {
    await using server = await start();
    const { port } = new URL(server.listener.url);
    const socket = connect(Number(port), "127.0.0.1").setNoDelay();
    await once(socket, "connect");
    const pieces = new Duplex({
      read() {},
      write(chunk: Buffer, _encoding, done) {
        // The first byte by itself: the server looks at it alone.
        socket.write(chunk.subarray(0, 1), () => {
          setImmediate(() => socket.write(chunk.subarray(1), () => done()));
        });
      },
    });
    socket.on("data", (chunk: Buffer) => pieces.push(chunk));
    const secure = connectTls({ socket: pieces, rejectUnauthorized: false });
    await once(secure, "secureConnect");
    secure.write(health);
    const [answer] = (await once(secure, "data")) as [Buffer];
    assert.match(answer.toString(), /^HTTP\/1\.1 200 /);
    socket.destroy();
  });

  test("gives the envelope to requests that never reach the app", async () => {
    await using server = await start();
    for (const [request, status] of [
      ["nonsense\r\n\r\n", 400],
      [`GET / HTTP/1.1\r\nX: ${"a".repeat(99_999)}\r\n\r\n`, 431],
      ["CONNECT a:1 HTTP/1.1\r\n\r\n", 405],
    ] as const) {
      const answer = await sendRaw(server.listener.url, request);
      assert.equal(answer?.status, status);
      assert.equal(JSON.parse(answer.body).success, false);
    }
    assert.equal(server.warnings.length, 3);
  });

  test("cuts off slow clients", async () => {
    await using server = await start({ headersTimeout: 150, connectionsCheckingInterval: 20 });
    using slow = await connectRaw(server.listener.url);
    slow.socket.write("GET /health HTTP/1.1\r\nX: ");
    assert.equal((await slow.answer())?.status, 408);
  });

  test("cuts off slow handshakes, and no connection that is past its own", async () => {
    // Long enough for a handshake on a busy machine.
    await using server = await start({ handshakeTimeout: 2000 });
    using past = await connectRaw(server.listener.url);
    const { port } = new URL(server.listener.url);
    const openings = ["", Buffer.of(0x16), Buffer.from("\x16\x03\x01\x02\0\x01")];
    const cut = openings.map((opening) => {
      const hesitant = connect(Number(port), "127.0.0.1");
      hesitant.on("error", () => {}).resume();
      hesitant.write(opening);
      return once(hesitant, "close", { signal: AbortSignal.timeout(60_000) });
    });
    await Promise.all(cut);
    past.socket.write(health);
    assert.equal((await past.answer())?.status, 200);
  });

  test("lets a request in flight finish when it closes, and nothing else", async () => {
    await using server = await start();
    using busy = await connectRaw(server.listener.url);
    busy.socket.write("GET /held HTTP/1.1\r\n\r\n");
    await server.arrived;
    using idle = await connectRaw(server.listener.url);
    using silent = await connectRaw(server.listener.url.replace("https:", "http:"));
    const closing = server.listener.close(60_000);
    await Promise.all([idle.closed, silent.closed]);
    server.release();
    const answer = await busy.answer();
    assert.deepEqual([answer?.status, answer?.body], [200, "done"]);
    assert.equal(answer!.headers["connection"], "close");
    await closing;
  });
});
