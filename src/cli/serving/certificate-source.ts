import type { CertificateSource } from "../../server/https.ts";
import { CliError } from "../errors.ts";

export interface CertificateFlags {
  https?: boolean;
  tlsCert?: string;
  tlsKey?: string;
}

/**
 * Where the flags say that the server's certificate comes from; undefined for plain http.
 *
 * @throws CliError `usage` when they do not fit together
 */
export function certificateSource(flags: CertificateFlags): CertificateSource | undefined {
  const { https = false, tlsCert: cert, tlsKey: key } = flags;
  if (cert === undefined && key === undefined) return https ? "self-signed" : undefined;
  if (cert === undefined || key === undefined) {
    const missing = cert === undefined ? "--tls-cert" : "--tls-key";
    throw new CliError("usage", `--tls-cert and --tls-key go together: give ${missing}, too.`);
  }
  if (!https) return { cert, key };
  throw new CliError(
    "usage",
    "--https makes a certificate, and --tls-cert names one. Give one of them.",
  );
}
