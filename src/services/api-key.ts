import { createHash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

/**
 * API keys: `todo_`, 32 random characters, and 6 characters of CRC-32 over what
 * precedes. A scanner can recognise one, and a mistyped one is refused without
 * a look-up. Only the SHA-256 is stored: the key itself has 190 bits of
 * randomness, so a slow hash would add nothing.
 */

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const format = /^todo_[0-9A-Za-z]{38}$/;

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let i = 0; i < 6; i += 1) {
    digits = alphabet[rest % alphabet.length]! + digits;
    rest = Math.floor(rest / alphabet.length);
  }
  return digits;
}

export interface GeneratedKey {
  /** The full key: shown once, never stored. */
  key: string;
  prefix: string;
  hash: string;
}

/** A new key. */
export function generateKey(): GeneratedKey {
  let body = "todo_";
  for (let i = 0; i < 32; i += 1) body += alphabet[randomInt(alphabet.length)]!;
  const key = body + checksum(body);
  return { key, prefix: key.slice(0, 12), hash: hashKey(key) };
}

/** Whether the text can be a key at all: its form and checksum are right. */
export function isKey(text: string): boolean {
  return format.test(text) && checksum(text.slice(0, -6)) === text.slice(-6);
}

/** The SHA-256 of a key, in hex. */
export function hashKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}
