import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { finished } from "node:stream";
import type { H3Event } from "h3";
import { ApiError } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";

const tooLarge = () =>
  new ApiError("too_large", `Request body must be at most ${limits.bodyBytes} bytes`);
const incomplete = () => new ApiError("bad_request", "Request body is incomplete");
const notAnObject = () => new ApiError("bad_request", "Request body must be a JSON object");

/** Reads from the socket itself: as a web stream, the body costs several times as much. */
function collect(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limits.bodyBytes) {
        chunks.push(chunk);
        return;
      }
      // The rest is read and dropped, so that the client gets to see the answer.
      chunks.length = 0;
      reject(tooLarge());
    });
    finished(request, (error) => {
      if (error) reject(incomplete());
      else resolve(Buffer.concat(chunks));
    });
  });
}

async function readBytes(event: H3Event): Promise<Buffer> {
  // Node drops what it has not read once the answer is sent.
  const declared = Number(event.req.headers.get("content-length") ?? 0);
  if (declared > limits.bodyBytes) throw tooLarge();
  const request = event.runtime?.node?.req as IncomingMessage | undefined;
  if (request !== undefined) return collect(request);
  const bytes = Buffer.from(await event.req.arrayBuffer());
  if (bytes.length > limits.bodyBytes) throw tooLarge();
  return bytes;
}

/**
 * The body as a JSON object, whatever its declared type; an absent one is `{}`.
 *
 * @throws ApiError `too_large` or `bad_request`
 */
export async function readJsonObject(event: H3Event): Promise<object> {
  const bytes = await readBytes(event);
  if (bytes.length === 0) return {};
  // Decoding would replace broken characters silently.
  if (!isUtf8(bytes)) throw notAnObject();
  let body: unknown;
  try {
    body = JSON.parse(bytes.toString("utf8"));
  } catch {
    throw notAnObject();
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) throw notAnObject();
  return body;
}
