/**
 * Text in a form that compares without regard to case (Unicode): by way of
 * lower case to upper case, which also unites forms that only one direction
 * maps (ß and ẞ, σ and ς).
 */
export function fold(text: string): string {
  return text.toLowerCase().toUpperCase();
}
