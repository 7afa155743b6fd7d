import { once } from "node:events";
import { connect } from "node:net";
import { type AdminClient, type Fetch, createAdminClient } from "../../client/client.ts";
import { type ByteResponse, socketBytes, socketFetch } from "../../client/node-fetch.ts";
import { CliError } from "../errors.ts";
import type { Flags } from "../flags.ts";
import { commandFetch, inProcess } from "./instance.ts";
import { fetchOf, openFolder, reach } from "./local-instance.ts";

/** A way to the administration of a local data folder. */
export interface AdminInstance {
  client: AdminClient;
  /** Whether a server runs on the folder, so that it is its process that answers. */
  isServed: boolean;
  /** Gets what a path of the administration answers, as bytes that come as they are read. */
  getBytes(path: string): Promise<ByteResponse>;
  close(): Promise<void>;
}

/** A way without what is alike for all. */
type Way = Omit<AdminInstance, "client"> & { fetch: Fetch };

/**
 * Reaches the administration of the data folder: through its socket while a server runs on it, else
 * in process.
 *
 * @param creates whether a database is made where there is none
 * @throws CliError `not_found` when there is no database, `not_allowed` when the folder is another
 *   user's
 * @throws StorageError when the folder cannot be used
 */
export async function openAdmin(flags: Flags, { creates = false } = {}): Promise<AdminInstance> {
  const { data } = flags;
  const { fetch, ...way } = await reach(data, {
    atServer: () => throughSocket(data),
    async inProcess() {
      if (!creates) await checkDatabase(data);
      return throughApp(data);
    },
  });
  const client = createAdminClient({
    server: inProcess,
    fetch: commandFetch(flags, fetch),
    timeout: flags.timeout * 1000,
  });
  return { client, ...way };
}

/**
 * Refuses a data folder without a database.
 *
 * @throws CliError `not_found`
 * @throws StorageError when this user cannot look into the folder
 */
export async function checkDatabase(folder: string): Promise<void> {
  const { holdsDatabase } = await import("../../storage/folder-contents.ts");
  if (holdsDatabase(folder)) return;
  throw new CliError(
    "not_found",
    `There is no database in the data folder ${folder}. Name the folder of your server with --data or TODO_DATA.`,
  );
}

/**
 * Reaches the administration of the server that runs on a data folder.
 *
 * @returns undefined when nobody listens, as when the server is stopping
 */
export async function throughSocket(folder: string): Promise<Way | undefined> {
  const { openAdminAddress } = await import("../../storage/admin-address.ts");
  const address = await openAdminAddress(folder).catch(() => undefined);
  if (address === undefined) return undefined;
  const { path } = address;
  if (!(await answers(path))) {
    address.close();
    return undefined;
  }
  return {
    isServed: true,
    fetch: socketFetch(path),
    getBytes: (target) => socketBytes(path, inProcess + target),
    close() {
      address.close();
      return Promise.resolve();
    },
  };
}

async function answers(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function throughApp(folder: string): Promise<Way> {
  const instance = await openFolder(folder);
  return {
    isServed: false,
    fetch: fetchOf(instance.admin),
    async getBytes(target) {
      const { status, body } = await instance.admin.fetch(new Request(inProcess + target));
      return { status, bytes: body ?? noBytes() };
    },
    close: () => instance.close(),
  };
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}
