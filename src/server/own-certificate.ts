import { readFileSync } from "node:fs";
import { hostname, networkInterfaces } from "node:os";
import { join } from "node:path";
import { nodeFs } from "../storage/host-fs.ts";
import { writePrivateFile } from "../storage/safe-files.ts";
import { type Certificate, CertificateError, parseCertificate } from "./certificate.ts";
import { isWildcard, openListener } from "./open-listener.ts";

/** In the data folder: the self-signed certificate and its key, made once and kept. */
const ownFile = "https-self-signed.pem";

const day = 86_400_000;

/** Phones refuse certificates of much more than a year. */
const validityDays = 397;

/** It is renewed when it is valid for less than this. */
const reserve = 30 * day;

/** A clock that shows an earlier time is not set yet: a Raspberry Pi begins in 1970. */
const earliest = Date.UTC(2026, 0, 1);

/**
 * The self-signed certificate of a data folder, which this process must hold: the one that is kept
 * there, or a new one when there is none, when that one ends soon, or does not name this machine.
 *
 * @param host on which the service listens
 * @param now milliseconds since 1970 (UTC)
 */
export async function ownCertificate(
  folder: string,
  host: string,
  now: number,
): Promise<Certificate> {
  const path = join(folder, ownFile);
  const { needed, useful } = namesOf(host);
  const kept = read(path);
  if (kept !== undefined && isGood(kept, needed, now)) return kept;
  const made = await makeCertificate([...new Set([...needed, ...useful])]);
  writePrivateFile(nodeFs, path, made.cert + made.key);
  return parseCertificate(made.cert, made.key, { cert: path, key: path });
}

function read(path: string): Certificate | undefined {
  try {
    const pem = readFileSync(path, "utf8");
    return parseCertificate(pem, pem, { cert: path, key: path });
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    // What nobody can use, nobody misses.
    if (isMissing || error instanceof CertificateError) return undefined;
    throw error;
  }
}

function isGood(certificate: Certificate, needed: string[], now: number): boolean {
  const { validFrom, validTo } = certificate;
  // A clock may be set right by a little; one that was far ahead made it for clients of that time.
  const isTimely = validFrom <= now + day && now < validTo - reserve;
  return (isTimely || now < earliest) && needed.every(certificate.covers);
}

/** By which names clients reach this machine: a certificate without the needed ones is renewed. */
function namesOf(host: string): { needed: string[]; useful: string[] } {
  const needed = new Set(["localhost", "127.0.0.1", "::1"]);
  const useful = new Set<string>();
  const name = hostname().toLowerCase();
  if (/^[a-z\d]([a-z\d.-]{0,61}[a-z\d])?$/.test(name)) {
    needed.add(name);
    // How it is found without a name server (RFC 6762).
    if (!name.includes(".")) needed.add(`${name}.local`);
  }
  if (!isWildcard(host)) needed.add(host.toLowerCase());
  const addresses = Object.values(networkInterfaces()).flatMap((ofInterface) => ofInterface ?? []);
  for (const { address, family, internal } of addresses) {
    if (internal || address.startsWith("fe80:")) continue;
    // Temporary addresses of IPv6 change by the day; a new certificate each time helps nobody.
    if (family === "IPv4") needed.add(address);
    else useful.add(address);
  }
  return { needed: [...needed], useful: [...useful] };
}

/** listhen makes one for a server that it opens, so one is opened, for a moment. */
async function makeCertificate(domains: string[]): Promise<{ cert: string; key: string }> {
  const { server, https } = await openListener((_request, response) => response.destroy(), {
    host: "127.0.0.1",
    port: 0,
    https: {
      domains,
      validityDays,
      commonName: domains.find((domain) => domain.endsWith(".local")) ?? "localhost",
      organization: "todo",
      // Otherwise it is in Michigan.
      countryCode: "",
      state: "",
      locality: "",
      organizationalUnit: "",
    },
  });
  server.close();
  return https!;
}
