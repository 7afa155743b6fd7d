import { BlockList, isIP } from "node:net";

/** Proxies whose word about the client's address is believed. */
export type TrustedProxies = BlockList;

/**
 * @param ranges addresses or CIDR ranges, such as 127.0.0.1 or 10.0.0.0/8
 * @throws RangeError when one is neither
 */
export function trustedProxies(ranges: readonly string[]): TrustedProxies {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", prefix, ...rest] = range.split("/");
    const family = isIP(address);
    const bits = prefix === undefined ? (family === 6 ? 128 : 32) : Number(prefix);
    const valid =
      family !== 0 &&
      rest.length === 0 &&
      (prefix === undefined || /^\d{1,3}$/.test(prefix)) &&
      bits <= (family === 6 ? 128 : 32);
    if (!valid) throw new RangeError(`"${range}" is not an IP address or CIDR range.`);
    list.addSubnet(address, bits, family === 6 ? "ipv6" : "ipv4");
  }
  return list;
}

/** An IPv4 address as such, also where the socket speaks IPv6. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");
}

function isTrusted(proxies: TrustedProxies, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && proxies.check(address, family === 6 ? "ipv6" : "ipv4");
}

/**
 * The address of the client. `X-Forwarded-For` is read from its end, as far as
 * trusted proxies wrote it: what a client puts at its start convinces nobody.
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | null,
  proxies: TrustedProxies,
): string {
  let address = plain(peer ?? "127.0.0.1");
  if (forwardedFor === null) return address;
  const hops = forwardedFor.split(",").map((hop) => plain(hop.trim()));
  while (isTrusted(proxies, address)) {
    const hop = hops.pop();
    if (hop === undefined || isIP(hop) === 0) break;
    address = hop;
  }
  return address;
}
