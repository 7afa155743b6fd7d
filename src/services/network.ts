import { isIPv6 } from "node:net";

/**
 * What one client has at its will: a single IPv4 address, or all of the IPv6 addresses that share
 * the first 64 bits, which is the least that networks are given (RFC 6177, RFC 7421).
 *
 * @param ip an address; anything else stays as it is
 */
export function networkOf(ip: string): string {
  if (!isIPv6(ip)) return ip;
  const [address = ""] = ip.split("%");
  const [start = [], end = []] = address.split("::").map(groupsOf);
  const zeros = Array.from({ length: 8 - start.length - end.length }, () => 0);
  const network = [...start, ...zeros, ...end].slice(0, 4);
  return `${network.map((group) => group.toString(16)).join(":")}::/64`;
}

/** The 16-bit numbers of a part of an address; an IPv4 address at its end is two of them. */
function groupsOf(part: string): number[] {
  if (part === "") return [];
  const plain = part.replace(/\d+\.\d+\.\d+\.\d+$/, "0:0");
  return plain.split(":").map((group) => Number.parseInt(group, 16));
}
