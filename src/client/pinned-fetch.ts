import https from "node:https";
import type { Fetch } from "./client.ts";
import { agentFetch, agentOptions } from "./node-fetch.ts";

/**
 * A fetch that trusts one certificate (PEM) and no other, whatever name its server is reached by,
 * and whoever signed it.
 */
export function pinnedFetch(certificate: string): Fetch {
  const agent = new https.Agent({
    ...agentOptions,
    ca: certificate,
    // It may be one that somebody else has signed, whose own certificate is not at hand.
    allowPartialTrustChain: true,
    checkServerIdentity: (_host, { raw }) => (isPinned(raw) ? undefined : notPinned()),
  });
  const pinned = certificate.replace(/-----END[^]*/, "").replace(/-----BEGIN[^\n]*|\s/g, "");
  const isPinned = (raw: Buffer) => raw.toString("base64") === pinned;
  return agentFetch(agent);
}

function notPinned(): Error {
  return new Error("it shows another certificate than the server of this data folder");
}
