import * as fc from "fast-check";

const line = (text: string) => Buffer.from(text, "latin1");

/** The bytes of requests whose head is not what it should be. */
export function hostileBytes(): fc.Arbitrary<Buffer> {
  const junk = fc.oneof(
    fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
    fc.constantFrom("", " ", "\t", "\r", "\n", "\0", ":", "\u00ff", "x".repeat(20_000)).map(line),
  );
  const start = fc
    .tuple(
      fc.constantFrom("GET", "POST", "HEAD", "OPTIONS", "TRACE", "CONNECT", "get", "FOO", "", "\0"),
      fc.constantFrom(" ", "  ", "\t", ""),
      fc.constantFrom(
        "/",
        "/health",
        "/api/v1/todos",
        "/api/v1/auth/login",
        "*",
        "",
        "//",
        "/%zz",
        "/a/../b",
        "http://x/health",
        "http://",
        "ftp://a b",
        "a:1",
        "/\u00ff",
        "/\0",
        '/"<>^`{|}',
        "/#a",
      ),
      fc.constantFrom(" HTTP/1.1", " HTTP/1.0", " HTTP/2.0", " HTTP/9.9", "", " http/1.1", " X"),
    )
    .map((parts) => line(parts.join("")));
  const header = fc
    .tuple(
      fc.constantFrom(
        "Host",
        "Content-Length",
        "Transfer-Encoding",
        "Expect",
        "Upgrade",
        "Connection",
        "X-API-Key",
        "Trailer",
        "TE",
        "Cookie",
        "",
        " X",
        "X ",
        "\u00ff",
        "__proto__",
      ),
      fc.constantFrom(": ", ":", " : ", ""),
      fc.oneof(
        fc
          .constantFrom(
            "x",
            "",
            "0",
            "1",
            "5",
            "-1",
            "1, 1",
            "99999999999999999999",
            "chunked",
            "gzip, chunked",
            "100-continue",
            "websocket",
            "upgrade",
            "close",
            "256.256.256.256",
            "[::",
            "a:99999",
          )
          .map(line),
        junk,
      ),
    )
    .map(([name, colon, value]) => Buffer.concat([line(name + colon), value]));
  const end = fc.constantFrom("\r\n", "\r\n", "\r\n", "\n", "\r").map(line);
  return fc
    .tuple(start, fc.array(header, { maxLength: 4 }), end, junk)
    .map(([first, headers, newline, rest]) =>
      Buffer.concat([
        ...[first, ...headers].flatMap((part) => [part, newline]),
        // Whatever came before: this ends every head, and suffices as a short body.
        line("\r\n\r\n\r\n\r\n\r\n"),
        rest,
        line("\r\n\r\n"),
      ]),
    );
}
