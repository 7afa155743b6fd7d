import { readFileSync } from "node:fs";
import { type Certificate, CertificateError, parseCertificate } from "./certificate.ts";

/** Where a certificate and its key are kept (PEM). */
export interface CertificateFiles {
  /** Those that vouch for it may follow it in its file. */
  cert: string;
  key: string;
}

/**
 * Reads a certificate and its key from their files.
 *
 * @throws CertificateError that says what is wrong with them
 */
export function readCertificateFiles(files: CertificateFiles): Certificate {
  return parseCertificate(read(files.cert), read(files.key), files);
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const reasons: Record<string, string> = {
      ENOENT: "there is no such file",
      EACCES: "this user may not read it",
      EISDIR: "it is a folder",
    };
    const reason = reasons[code ?? ""] ?? message;
    throw new CertificateError(`${path} cannot be read: ${reason}.`, { cause });
  }
}
