import { InvalidArgumentError, Option } from "commander";

/** Colours that are pleasant on dark and on light grounds, by the names that the flags take. */
const named = {
  red: "#EF4444",
  orange: "#F97316",
  amber: "#F59E0B",
  green: "#22A55E",
  teal: "#14A8A0",
  sky: "#0EA5E9",
  blue: "#3B82F6",
  violet: "#8B5CF6",
  magenta: "#C850D8",
  pink: "#EC4899",
  brown: "#A0724A",
  gray: "#7A828E",
} as const;

const names = Object.keys(named).join(", ");

/** `--color`, with a value as `parseColor` takes it. */
export function colorOption(): Option {
  return new Option("--color <color>", `such as #8B5CF6, or ${names}`).argParser(parseColor);
}

/**
 * A colour as users give it: a name, or hex digits with or without `#`.
 *
 * @returns `#RRGGBB`
 * @throws InvalidArgumentError
 */
export function parseColor(text: string): string {
  const name = text.trim().toLowerCase();
  if (Object.hasOwn(named, name)) return named[name as keyof typeof named];
  const [, digits] = /^#?([\da-f]{3}|[\da-f]{6})$/.exec(name) ?? [];
  if (digits === undefined) {
    throw new InvalidArgumentError(`Give a colour such as #8B5CF6, or one of ${names}.`);
  }
  const full = digits.length === 6 ? digits : digits.replace(/./g, "$&$&");
  return `#${full.toUpperCase()}`;
}

/** A cheerful colour for something of that name: the same one each time, in any case. */
export function colorFor(name: string): string {
  const { brown: _brown, gray: _gray, ...cheerful } = named;
  const colors = Object.values(cheerful);
  // The hash of Bernstein (times 33, plus the next character), kept within exact integers.
  let hash = 5381;
  for (const character of name.toLowerCase()) {
    hash = (hash * 33 + character.codePointAt(0)!) % 4_294_967_291;
  }
  return colors[hash % colors.length]!;
}
