/** What ended a command, by name. */
export const exitCodes = {
  failed: 1,
  usage: 2,
  not_found: 3,
  not_allowed: 4,
  unreachable: 5,
  interrupted: 130,
} as const;

export type Failure = keyof typeof exitCodes;

/** A failure of a command, in words for the user: what happened, and what to do next. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly failure: Failure;

  constructor(failure: Failure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }
}
