/**
 * Text in a form that compares without regard to case (Unicode): by way of
 * lower case to upper case, which also unites forms that only one direction
 * maps (ß and ẞ, σ and ς). The dotless ı is a letter of its own, though its
 * upper case is that of i.
 */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (!lower.includes("ı")) return lower.toUpperCase();
  return lower
    .split("ı")
    .map((part) => part.toUpperCase())
    .join("ı");
}
