/** What a check has found. */
export interface Finding {
  /** What was looked at, in a word or two. */
  check: string;
  /** A problem keeps something from working, or endangers data; a warning may come to that. */
  status: "ok" | "warning" | "problem";
  message: string;
  /** What to do about it. */
  advice?: string;
}

/** Findings of one check. */
export interface Findings {
  ok: (message: string) => Finding;
  warning: (message: string, advice: string) => Finding;
  problem: (message: string, advice: string) => Finding;
}

/** Makes the findings of a check. */
export function findingsOf(check: string): Findings {
  return {
    ok: (message) => ({ check, status: "ok", message }),
    warning: (message, advice) => ({ check, status: "warning", message, advice }),
    problem: (message, advice) => ({ check, status: "problem", message, advice }),
  };
}
