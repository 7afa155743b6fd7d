import { randomBytes } from "node:crypto";
import { closeSync, constants, existsSync, openSync, symlinkSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { StorageError } from "./errors.ts";

/**
 * Bytes in a socket's address: `sun_path` has 108 on Linux and 104 on macOS, the final NUL
 * included. Node 20 cuts a longer address without a word and binds somewhere else.
 */
const MAX_ADDRESS_BYTES = 103;

/** Room for the separator and a socket's name. */
const NAME_BYTES = 40;

/** A folder of sockets, reached by addresses that are short enough to bind and to connect to. */
export interface SocketFolder {
  address(name: string): string;
  /** Ends the addresses. Sockets bound through them stay where they are. */
  close(): void;
}

/**
 * Opens an existing folder for sockets, however long its path is.
 *
 * @throws {StorageError} `not_writable` when the path is too long and there is no way round it.
 * @throws the system's error when the folder cannot be opened.
 */
export function openSocketFolder(path: string): SocketFolder {
  if (Buffer.byteLength(path) + NAME_BYTES <= MAX_ADDRESS_BYTES) {
    return { address: (name) => join(path, name), close() {} };
  }
  return throughDescriptor(path) ?? throughSymlink(path, tmpdir());
}

/** Linux: the folder by its open descriptor. Undefined where /proc does not offer that. */
function throughDescriptor(path: string): SocketFolder | undefined {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  const link = `/proc/self/fd/${descriptor}`;
  if (!existsSync(link)) {
    closeSync(descriptor);
    return undefined;
  }
  return { address: (name) => `${link}/${name}`, close: () => closeSync(descriptor) };
}

/**
 * Elsewhere: the folder by a short-lived symbolic link in the folder of temporary files.
 *
 * @throws {StorageError} `not_writable` when that folder's path is too long as well, or when no
 *   link can be made there.
 */
export function throughSymlink(path: string, temporary: string): SocketFolder {
  const link = join(temporary, `todo-${randomBytes(8).toString("hex")}`);
  try {
    if (Buffer.byteLength(link) + NAME_BYTES > MAX_ADDRESS_BYTES) {
      throw new Error(`The path ${temporary} is too long as well`);
    }
    symlinkSync(path, link);
  } catch (cause) {
    throw new StorageError(
      "not_writable",
      `The path ${path} is too long for a socket, and no short link to it could be made in ` +
        `${temporary}. Choose a data folder with a shorter path, or set TMPDIR to a short one.`,
      { cause },
    );
  }
  return { address: (name) => join(link, name), close: () => unlinkSync(link) };
}
