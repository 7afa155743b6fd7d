import type { ClientOptions } from "./client.ts";
import { toConnectionError } from "./connection-error.ts";
import { PlainHeaders, nodeFetch } from "./node-fetch.ts";

/** A request that is none of the client's operations. */
export interface RawRequest {
  method: string;
  /** Below the server's URL, with its query. */
  path: string;
  /** Sent as it is, as JSON. */
  body?: string | undefined;
}

/** An answer as it came. */
export interface RawAnswer {
  status: number;
  text: string;
  /** Where a redirect leads; it is not followed. */
  location: string | null;
}

/**
 * Sends any request to the client's server, with its key.
 *
 * @throws ConnectionError when no answer comes; an answer of any status is none
 */
export async function requestRaw(
  { server, key, timeout, fetch = nodeFetch }: ClientOptions,
  { method, path, body }: RawRequest,
): Promise<RawAnswer> {
  const headers = new PlainHeaders();
  if (key !== undefined) headers.set("x-api-key", key);
  if (body !== undefined) headers.set("content-type", "application/json");
  try {
    const response = await fetch(server + path, {
      method,
      headers,
      ...(body !== undefined && { body }),
      ...(timeout !== undefined && { signal: AbortSignal.timeout(timeout) }),
    });
    const { status } = response;
    return { status, text: await response.text(), location: response.headers.get("location") };
  } catch (error) {
    throw toConnectionError(error, server);
  }
}
