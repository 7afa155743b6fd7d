import { setTimeout as sleep } from "node:timers/promises";
import { StorageError } from "../storage/errors.ts";
import { findHolder } from "../storage/lock.ts";
import { listenToOperator } from "./admin-listener.ts";
import type { CloseConnections } from "./connections.ts";
import { type CertificateSource, type Certificates, openCertificates } from "./https.ts";
import { type Instance, type InstanceOptions, openInstance } from "./instance.ts";
import { type Listener, listen } from "./listen.ts";

export interface ServeOptions extends InstanceOptions {
  host: string;
  port: number;
  /** Serves https with a certificate from there; without it, plain http. */
  certificate?: CertificateSource | undefined;
}

export interface Serving {
  url: string;
  /** Resolves when the service has stopped, after `stop` or a signal. */
  stopped: Promise<void>;
  stop: () => void;
  /** Looks for a new certificate; without https there is nothing to do. */
  reload: () => Promise<void>;
}

/** Requests in flight get so long to finish when the server stops. */
const graceMs = 10_000;

/** Whoever holds the folder without saying where it serves is waited for so long. */
const patienceMs = 3000;

/**
 * Serves the API until it is told to stop. On the first SIGTERM or SIGINT it
 * stops accepting, finishes what is in flight and leaves one plain SQLite file.
 *
 * @throws StorageError when the data folder cannot be used
 * @throws CertificateError when there is no certificate that can be used
 * @throws an error with `code` EADDRINUSE, EACCES, … when it cannot listen
 */
export async function serve(options: ServeOptions): Promise<Serving> {
  const instance = await openPatiently(options);
  let listener: Listener | undefined;
  let certificates: Certificates | undefined;
  try {
    const { certificate: source, now = Date.now } = options;
    if (source !== undefined) {
      certificates = await openCertificates({ ...options, source, now }, (certificate) => {
        listener?.useCertificate(certificate);
      });
    }
    listener = await listen(instance.app, { ...options, certificate: certificates?.first });
    const closeAdmin = await listenToOperator(instance.admin, options.folder, options.log);
    instance.announce(listener.url);
    // On an SD card that takes a while, which nobody shall wait for.
    setImmediate(() => instance.keepReserve());
    return {
      url: listener.url,
      ...stopping([listener.close, closeAdmin], instance, certificates),
      reload: async () => certificates?.refresh(),
    };
  } catch (error) {
    certificates?.close();
    await listener?.close(0);
    await instance.close();
    throw error;
  }
}

/** A command that works in process holds the folder for a moment only, and has no URL. */
async function openPatiently(options: ServeOptions): Promise<Instance> {
  for (const end = performance.now() + patienceMs; ; await sleep(50)) {
    try {
      return await openInstance(options);
    } catch (error) {
      const isLocked = error instanceof StorageError && error.code === "locked";
      if (!isLocked || performance.now() > end) throw error;
      if ((await findHolder(options.folder))?.url !== undefined) throw error;
    }
  }
}

function stopping(
  closing: readonly CloseConnections[],
  instance: Instance,
  certificates: Certificates | undefined,
): Pick<Serving, "stopped" | "stop"> {
  let stop = () => {};
  const told = new Promise<void>((resolve) => {
    stop = resolve;
  });
  async function untilStopped(): Promise<void> {
    await told;
    certificates?.close();
    await Promise.all(closing.map((close) => close(graceMs)));
    await instance.close();
  }
  return { stopped: untilStopped(), stop };
}
