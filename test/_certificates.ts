import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";
import type { CertificateFiles } from "../src/server/certificate-files.ts";
import { openListener } from "../src/server/open-listener.ts";

/** A certificate for that name, made as the server makes its own (PEM). */
export async function makeCertificate(
  domain: string,
  validityDays = 10,
): Promise<{ cert: string; key: string }> {
  const { server, https } = await openListener((_request, response) => response.destroy(), {
    host: "127.0.0.1",
    port: 0,
    https: { domains: [domain], validityDays },
  });
  server.close();
  return https!;
}

/** The files in that folder, with a certificate for that name and its key. */
export async function writeCertificate(
  folder: string,
  domain = "todo.example.org",
): Promise<CertificateFiles> {
  const files = { cert: join(folder, "cert.pem"), key: join(folder, "key.pem") };
  const { cert, key } = await makeCertificate(domain);
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key);
  return files;
}

/** The SHA-256 of the certificate that a server shows to a new client. */
export function shownBy(url: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false });
    socket.once("error", reject);
    socket.once("secureConnect", () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    });
  });
}
