import { limits } from "../contract/limits.ts";
import { CliError } from "./errors.ts";
import { ambiguous, checkId } from "./ids.ts";

const keyStart = "todo_";
/** So much of a key is no secret: every list shows it. */
const shownLength = keyStart.length + 7;

/** @throws CliError `usage` for text that is the start neither of an id nor of a key */
export function checkKeyText(text: string): void {
  if (!text.startsWith(keyStart)) {
    checkId(text);
  } else if (text.length > shownLength) {
    // Not repeated: what else was typed may be the rest of a key that works.
    const message = `Give only the first ${shownLength} characters of a key: others on this machine can read what is typed.`;
    throw new CliError("usage", message);
  } else if (text.length < keyStart.length + limits.idPrefixMin) {
    throw new CliError("usage", `Give more of the key than ${text}.`);
  }
}

/**
 * The key whose id, or which itself, starts with the text.
 *
 * @param lister the command that lists the keys, for the message
 * @throws CliError `not_found` for none or several
 */
export function chooseKey<K extends { id: string; key_prefix: string; name: string }>(
  keys: readonly K[],
  text: string,
  lister: string,
): K {
  const candidates = keys.filter(({ id, key_prefix: start }) => {
    return id.startsWith(text.toLowerCase()) || start.startsWith(text);
  });
  const [key, ...others] = candidates;
  if (key === undefined) {
    throw new CliError("not_found", `There is no key ${text}. \`${lister}\` lists them.`);
  }
  if (others.length === 0) return key;
  throw ambiguous(`${text} could be several. Give more of it:`, candidates);
}
