import { join } from "node:path";
import type { Fetch } from "../../client/client.ts";
import { nodeFetch } from "../../client/node-fetch.ts";
import { readIfThere } from "./private-file.ts";

/** A server of one's own data folder is trusted by the certificate that it has put there. */
export async function ownServerFetch(url: string, folder: string): Promise<Fetch> {
  if (!url.startsWith("https:")) return nodeFetch;
  const certificate = readIfThere(join(folder, "https-certificate.pem"));
  if (certificate === undefined) return nodeFetch;
  const { pinnedFetch } = await import("../../client/pinned-fetch.ts");
  return pinnedFetch(certificate);
}
