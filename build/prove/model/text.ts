/** What interface.md and the rulings say of text and of moments. */

/** Compares alike without regard to case (Unicode). */
export function fold(text: string): string {
  return text.toLowerCase().toUpperCase();
}

/** The order of text: without regard to case, by code points. */
export function compareText(a: string, b: string): number {
  return Buffer.compare(Buffer.from(fold(a)), Buffer.from(fold(b)));
}

export function characters(text: string): number {
  return Array.from(text).length;
}

export function isUuid(value: unknown): value is string {
  return typeof value === "string" && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value);
}

/** A moment as the API writes it: UTC, to the second. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19).replace("T", " ");
}
