import { join } from "node:path";
import { nodeFs } from "../storage/host-fs.ts";
import { writePrivateFile } from "../storage/safe-files.ts";
import type { Certificate } from "./certificate.ts";
import { type CertificateFiles, readCertificateFiles } from "./certificate-files.ts";
import type { Log } from "./log.ts";
import { ownCertificate } from "./own-certificate.ts";

/** A certificate of the data folder's own, or one from files. */
export type CertificateSource = "self-signed" | CertificateFiles;

export interface HttpsOptions {
  source: CertificateSource;
  folder: string;
  /** On which the service listens. */
  host: string;
  log: Log;
  /** Milliseconds since 1970 (UTC). */
  now: () => number;
}

/** The certificates that a server shows, one after the other. */
export interface Certificates {
  first: Certificate;
  /**
   * Looks for another one at the source, and says what it found. When that is none that can be
   * used, the server stays with the one it has.
   */
  refresh(): Promise<void>;
  close(): void;
}

/**
 * In the data folder: the certificate that its server shows, without the key. Commands on this
 * machine trust it; it can be copied to others that shall.
 */
const shownFile = "https-certificate.pem";

const day = 86_400_000;

/**
 * Gets the certificate that a server shall show, and keeps it in good order: once a day it looks
 * for a new one.
 *
 * @param use is given each later certificate
 * @throws CertificateError when there is none to begin with
 */
export async function openCertificates(
  options: HttpsOptions,
  use: (certificate: Certificate) => void,
): Promise<Certificates> {
  const { log } = options;
  let shown = await load(options);
  const first = shown;
  describe(shown, options);

  async function refresh(): Promise<void> {
    try {
      const certificate = await load(options);
      if (certificate.sha256 === shown.sha256) {
        log.info("The certificate is still the same");
      } else {
        use(certificate);
        shown = certificate;
        describe(shown, options);
      }
    } catch (error) {
      const { message } = error as Error;
      log.error("The new certificate cannot be used, so the old one stays", message);
    }
    warn(shown, options);
  }

  warn(first, options);
  const timer = setInterval(() => void refresh(), day);
  timer.unref();
  return { first, refresh, close: () => clearInterval(timer) };
}

async function load({ source, folder, host, now }: HttpsOptions): Promise<Certificate> {
  const certificate =
    source === "self-signed"
      ? await ownCertificate(folder, host, now())
      : readCertificateFiles(source);
  writePrivateFile(nodeFs, join(folder, shownFile), certificate.cert);
  return certificate;
}

function describe({ sha256, validTo }: Certificate, { source, log }: HttpsOptions): void {
  const kind = source === "self-signed" ? "self-signed certificate" : "certificate";
  const until = new Date(validTo).toISOString().slice(0, 10);
  log.info(`The ${kind} has SHA-256 ${sha256}, and is valid until ${until}`);
}

function warn({ validFrom, validTo }: Certificate, { log, now }: HttpsOptions): void {
  if (validTo <= now()) log.warn("The certificate has expired: clients refuse it");
  else if (validFrom > now()) log.warn("The certificate is not valid yet: clients refuse it");
  else if (validTo - now() < 7 * day) log.warn("The certificate expires within a week");
}
