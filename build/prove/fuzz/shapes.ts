import * as fc from "fast-check";

/** What somebody who means no good writes to a socket. */
export interface Attack {
  name: string;
  /** Written one after the other; a number is a pause in milliseconds. */
  chunks: readonly (Buffer | number)[];
  /** The connection is reset in the middle instead of closed at the end. */
  vanishes?: boolean;
}

const mebibyte = Buffer.alloc(1024 * 1024, "x");
const text = (value: string) => Buffer.from(value, "latin1");
const request = (start: string, headers: readonly string[], body: string | Buffer = "") =>
  Buffer.concat([
    text(`${start} HTTP/1.1\r\n${headers.map((line) => `${line}\r\n`).join("")}\r\n`),
    Buffer.from(body),
  ]);

/** A request hidden in the body of another one: were it answered, there would be two answers. */
const hidden = "GET /health HTTP/1.1\r\nHost: x\r\n\r\n";

const once = (name: string, ...chunks: Attack["chunks"]): Attack => ({ name, chunks });
const oneOf = (...some: Attack[]) => fc.constantFrom(...some);

const junk = fc
  .uint8Array({ minLength: 1, maxLength: 300 })
  .map((bytes): Attack => once("random bytes", Buffer.from(bytes), text("\r\n\r\n")));

const heads = oneOf(
  once("HTTP/0.9", text("GET /\r\n\r\n")),
  once("HTTP/2 preface", text("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), Buffer.alloc(24)),
  once("TLS hello", Buffer.from("160301020001000001fc0303", "hex"), Buffer.alloc(500)),
  once("SSH banner", text("SSH-2.0-OpenSSH_9.9\r\n")),
  once("no method", text(" / HTTP/1.1\r\n\r\n")),
  once("a null in the target", text("GET /\0 HTTP/1.1\r\n\r\n")),
  once("a target of 100 KB", text(`GET /${"a".repeat(100_000)} HTTP/1.1\r\n\r\n`)),
  once("a header of 1 MB", text("GET /health HTTP/1.1\r\nX: "), mebibyte, text("\r\n\r\n")),
  once(
    "5,000 headers",
    text(
      `GET /health HTTP/1.1\r\n${Array.from({ length: 5000 }, (_, i) => `X${i}: 1\r\n`).join("")}\r\n`,
    ),
  ),
  once("a folded header", text("GET /health HTTP/1.1\r\nX: a\r\n b\r\n\r\n")),
  once("bare line feeds", text("GET /health HTTP/1.1\nX: a\n\n")),
  once("bare carriage returns", text("GET /health HTTP/1.1\rX: a\r\r")),
  once("two hosts", request("GET /health", ["Host: a", "Host: b"])),
  once("escapes", request("GET /%00%ff%zz/..%2f..%2fetc/passwd?q=%", [])),
  once("upgrade to WebSocket", request("GET /", ["Connection: Upgrade", "Upgrade: websocket"])),
  once("upgrade to h2c", request("GET /", ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c"])),
  once("a tunnel", request("CONNECT example.org:443", []), mebibyte),
);

const login = "POST /api/v1/auth/login";
const chunked = "Transfer-Encoding: chunked";

const chunkedBodies = oneOf(
  once("a chunk size that is none", request(login, [chunked], "zz\r\n{}\r\n0\r\n\r\n")),
  once("a negative chunk size", request(login, [chunked], "-1\r\n{}\r\n0\r\n\r\n")),
  once("an endless chunk size", request(login, [chunked], `${"f".repeat(40)}\r\n{}\r\n`)),
  once("a chunk longer than its size", request(login, [chunked], `1\r\n{}${hidden}`)),
  once("a chunk extension of 1 MB", request(login, [chunked], "2;x="), mebibyte),
  once(
    "10,000 trailers",
    request(login, [chunked], `2\r\n{}\r\n0\r\n${"X: 1\r\n".repeat(10_000)}\r\n`),
  ),
  once(
    "trailers that would be headers",
    request(login, [chunked], "0\r\nContent-Length: 5\r\n\r\n"),
  ),
  once("chunks of one byte", request(login, [chunked], `${"1\r\n \r\n".repeat(20_000)}0\r\n\r\n`)),
);

/** Each must get one answer at most: none of the two lengths may let a second request through. */
const smuggling = oneOf(
  ...[
    ["Content-Length: 5", chunked],
    [chunked, "Content-Length: 5"],
    ["Content-Length: 5", "Content-Length: 50"],
    ["Content-Length: 5, 50"],
    ["Content-Length: +5"],
    ["Content-Length: -1"],
    ["Content-Length: 0x5"],
    ["Content-Length : 5"],
    [`Content-Length: ${"9".repeat(30)}`],
    ["Transfer-Encoding: chunked, identity"],
    ["Transfer-Encoding: xchunked", "Content-Length: 5"],
    ["Transfer-Encoding : chunked", "Content-Length: 5"],
    ["Transfer-Encoding:\x0bchunked", "Content-Length: 5"],
    ["X: y\nTransfer-Encoding: chunked", "Content-Length: 5"],
  ].map((headers) =>
    once(`smuggling: ${headers.join(" + ")}`, request(login, headers, `0\r\n\r\n${hidden}`)),
  ),
);

const deep = (open: string, close: string) => `${open.repeat(200_000)}1${close.repeat(200_000)}`;

function bodies(key: string): fc.Arbitrary<Attack> {
  const post = (name: string, body: string | Buffer, ...headers: string[]) => {
    const bytes = Buffer.from(body);
    const all = [`X-API-Key: ${key}`, `Content-Length: ${bytes.length}`, ...headers];
    return once(name, request("PUT /api/v1/user/profile", all, bytes));
  };
  return oneOf(
    post("arrays 200,000 deep", deep("[", "]")),
    post("objects 200,000 deep", deep('{"":', "}")),
    post("settings 200,000 deep", `{"settings":{"a":${deep("[", "]")}}}`),
    post("100,000 fields", `{${Array.from({ length: 90_000 }, (_, i) => `"a${i}":1`).join()}}`),
    post("a name of 1 MB", `{"name":"${"x".repeat(1_000_000)}"}`),
    post("a number of 1 MB", `{"name":${"9".repeat(1_000_000)}}`),
    post("UTF-16", Buffer.from('{"name":"x"}', "utf16le")),
    post("Latin-1", text('{"name":"\xe4"}')),
    post("overlong UTF-8", text('{"name":"\xc0\xaf"}')),
    post("half a surrogate", String.raw`{"name":"\ud800"}`),
    post("a byte order mark", "\ufeff{}"),
    post("zero bytes", Buffer.alloc(100_000)),
    post("what says it is compressed", Buffer.alloc(1000, 0x1f), "Content-Encoding: gzip"),
    post("prototypes", '{"__proto__":{"name":"x"},"constructor":{"prototype":{"a":1}}}'),
  );
}

const large = Array.from({ length: 50 }, () => mebibyte);
const largeBodies = oneOf(
  once("50 MB", request(login, ["Content-Length: 52428800"]), ...large),
  once(
    "50 MB in chunks",
    request(login, [chunked]),
    ...large.flatMap((chunk) => [text("100000\r\n"), chunk, text("\r\n")]),
  ),
  once("50 MB to an unknown path", request("POST /nope", ["Content-Length: 52428800"]), ...large),
  once("50 MB announced, none sent", request(login, ["Content-Length: 52428800"])),
  once(
    "50 MB that await a go-ahead",
    request(login, ["Content-Length: 52428800", "Expect: 100-continue"]),
  ),
);

const trickle = Array.from({ length: 10 }, () => [text("a"), 100]).flat();
const slow = oneOf(
  once("a slow head", text("GET /health HTTP/1.1\r\nX: "), ...trickle),
  once("a slow body", request(login, ["Content-Length: 500"]), ...trickle),
  once("a slow chunk", request(login, [chunked], "fff\r\n"), ...trickle),
);

const many = oneOf(
  once("300 requests at once", text("GET /health HTTP/1.1\r\n\r\n".repeat(300))),
  once("100 large answers at once", text("GET /api/v1/openapi.json HTTP/1.1\r\n\r\n".repeat(100))),
);

const vanishing = oneOf(
  { ...once("gone within the head", text("GET /health HTTP/1.1\r\nX:")), vanishes: true },
  { ...once("gone within the body", request(login, ["Content-Length: 99"], "{")), vanishes: true },
  { ...once("gone before the answer", request("GET /api/v1/openapi.json", [])), vanishes: true },
);

/** Any of them, as often as it takes to make it hurt. */
export function attacks(key: string): fc.Arbitrary<Attack> {
  return fc.oneof(
    { weight: 15, arbitrary: junk },
    { weight: 30, arbitrary: heads },
    { weight: 15, arbitrary: chunkedBodies },
    { weight: 25, arbitrary: smuggling },
    { weight: 20, arbitrary: bodies(key) },
    { weight: 2, arbitrary: largeBodies },
    { weight: 6, arbitrary: slow },
    { weight: 5, arbitrary: many },
    { weight: 10, arbitrary: vanishing },
  );
}
