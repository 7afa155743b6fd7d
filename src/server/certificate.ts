import { type KeyObject, X509Certificate, createPrivateKey } from "node:crypto";
import { createSecureContext } from "node:tls";

/** A certificate and its key (PEM). */
export interface Certificate {
  /** The certificate, perhaps with those that vouch for it, and nothing else: it may be shown. */
  cert: string;
  key: string;
  /** Of the certificate itself, as browsers show it. */
  sha256: string;
  /** Milliseconds since 1970 (UTC) from which and until which it is valid. */
  validFrom: number;
  validTo: number;
  /** Whether it names that host or address. */
  covers: (name: string) => boolean;
}

/** A certificate or a key that cannot be used; the message says why. */
export class CertificateError extends Error {
  override readonly name = "CertificateError";
}

/**
 * Reads a certificate and its key.
 *
 * @param where what messages call the two
 * @throws CertificateError when they cannot be understood, or do not belong together
 */
export function parseCertificate(
  cert: string,
  key: string,
  where: { cert: string; key: string },
): Certificate {
  const certificate = parse(where.cert, "a certificate (PEM)", () => new X509Certificate(cert));
  if (!certificate.checkPrivateKey(parseKey(key, where.key))) {
    throw new CertificateError(
      `The key in ${where.key} is not that of the certificate in ${where.cert}. The server's own certificate must come first in its file.`,
    );
  }
  // What TLS itself has to say against them, such as too short a key.
  parse(where.cert, "fit for TLS", () => createSecureContext({ cert, key }));
  return {
    cert: onlyCertificates(cert),
    key,
    sha256: certificate.fingerprint256,
    validFrom: Date.parse(certificate.validFrom),
    validTo: Date.parse(certificate.validTo),
    covers: (name) => (certificate.checkHost(name) ?? certificate.checkIP(name)) !== undefined,
  };
}

/** A file may hold the key, too. */
function onlyCertificates(pem: string): string {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => `${block}\n`).join("");
}

function parseKey(key: string, where: string): KeyObject {
  if (key.includes("ENCRYPTED")) {
    throw new CertificateError(
      `The key in ${where} is encrypted. Take the passphrase off with \`openssl pkey\`, and let nobody else read the file.`,
    );
  }
  return parse(where, "a private key (PEM)", () => createPrivateKey(key));
}

function parse<T>(where: string, what: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    throw new CertificateError(`${where} is not ${what}: ${(cause as Error).message}.`, { cause });
  }
}
