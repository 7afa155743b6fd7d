export interface RefusalOptions {
  /** What `errors` names. */
  fields?: string[];
  headers?: Record<string, string | RegExp>;
}

/** An answer that is none of the successes. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  /** The text that the contract fixes; undefined where any will do. */
  readonly text: string | undefined;
  readonly options: RefusalOptions;

  constructor(status: number, text?: string, options: RefusalOptions = {}) {
    super(text);
    this.status = status;
    this.text = text;
    this.options = options;
  }
}

/** What is missing, or another user's. */
export function notFound(what: string): Refusal {
  return new Refusal(404, `${what} not found`);
}
