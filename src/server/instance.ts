import { randomBytes, randomUUID } from "node:crypto";
import type { H3 } from "h3";
import { createCredentials } from "../services/credentials.ts";
import { createPasswords } from "../services/passwords.ts";
import { createAdminServices, createServices } from "../services/services.ts";
import { createThrottle } from "../services/throttle.ts";
import { createTokens, type Tokens } from "../services/tokens.ts";
import { openDatabase } from "../storage/database.ts";
import * as settings from "../storage/settings.ts";
import { createAdminApp } from "./admin-app.ts";
import { createApp } from "./app.ts";
import { type TrustedProxies, trustedProxies } from "./client-address.ts";
import type { Log } from "./log.ts";
import { version } from "./version.ts";

export interface InstanceOptions {
  /** The data folder; made when it is missing. */
  folder: string;
  log: Log;
  /** At least 32 bytes; without it a secret of the installation's own is used. */
  jwtSecret?: string | undefined;
  registrationOpen?: boolean;
  proxies?: TrustedProxies;
  /** Memory for SQLite's pages, in KiB. */
  cacheKiB?: number;
  /** bcrypt's logarithmic work factor. */
  passwordCost?: number;
  /** Milliseconds since 1970 (UTC). */
  now?: () => number;
  /** Called when nothing can be acknowledged any more; otherwise the process says why, and ends. */
  onFatal?: (error: Error) => void;
}

/** The service on one data folder, reachable through `app.fetch`, without a socket. */
export interface Instance {
  app: H3;
  /** The administration; it asks for no credentials. */
  admin: H3;
  /** Tells other processes on this machine where the service can be reached. */
  announce(url: string): void;
  /** Keeps space on the disk for the time when it is full; see `Database.keepReserve`. */
  keepReserve(): void;
  /** Writes down what is pending and leaves one plain SQLite file. */
  close(): Promise<void>;
}

const secretName = "jwt_secret";

/**
 * Opens the data folder and builds the service on it.
 *
 * @throws StorageError when the folder or its database cannot be used
 */
export async function openInstance(options: InstanceOptions): Promise<Instance> {
  const { folder, log, cacheKiB, passwordCost, now = Date.now } = options;
  const { onFatal } = options;
  const db = await openDatabase({
    folder,
    ...(cacheKiB !== undefined && { cacheKiB }),
    ...(onFatal !== undefined && { onFatal }),
    onUpgrade({ from, to, backup }) {
      log.info(
        `The database was brought from version ${from} to ${to}; as it was, it is ${backup}`,
      );
    },
  });
  const context = { db, now, newId: randomUUID };
  const tokens = await openTokens().catch(async (error: unknown) => {
    await db.close();
    throw error;
  });
  const passwords = createPasswords(passwordCost === undefined ? {} : { cost: passwordCost });
  const credentials = createCredentials(context, tokens, (error) => {
    log.error("Could not note the use of API keys", error);
  });
  const account = { ...context, passwords, throttle: createThrottle(now) };
  const { services, subjects } = createServices({
    ...account,
    tokens,
    registrationOpen: options.registrationOpen ?? true,
  });
  const proxies = options.proxies ?? trustedProxies([]);

  async function openTokens(): Promise<Tokens> {
    const opened = createTokens(context, jwtSecret());
    // A token must not outlive its secret.
    await db.durable();
    return opened;
  }

  /** Made on the first start, and kept: tokens survive a restart. */
  function jwtSecret(): Uint8Array {
    if (options.jwtSecret !== undefined) return Buffer.from(options.jwtSecret);
    const kept = settings.find(db, secretName);
    if (kept !== undefined) return kept;
    const secret = randomBytes(32);
    db.transaction(() => settings.insert(db, secretName, secret));
    return secret;
  }

  return {
    app: createApp({ db, services, subjects, credentials, log, proxies, version }),
    admin: createAdminApp({ db, log, services: createAdminServices(account) }),
    announce: (url) => db.announce(url),
    keepReserve: () => db.keepReserve(),
    async close() {
      await passwords.close();
      try {
        credentials.flush();
      } catch (error) {
        log.error("Could not note the use of API keys", error);
      }
      await db.close();
    },
  };
}
