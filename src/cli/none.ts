/** Whether a value says that there is to be none: `none`, in any case. */
export function isNone(text: string): boolean {
  return text.toLowerCase() === "none";
}

/** The value as the API takes it: null for `none`. */
export function noneAsNull(text: string): string | null {
  return isNone(text) ? null : text;
}
