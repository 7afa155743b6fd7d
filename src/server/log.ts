/** One finished request. The path comes without its query, which may hold private text. */
export interface RequestEntry {
  id: string;
  method: string;
  path: string;
  status: number;
  /** Milliseconds from the arrival of the request's head to the finished answer. */
  ms: number;
  userId: string | undefined;
}

export const logLevels = ["info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];
export const logFormats = ["text", "json"] as const;
export type LogFormat = (typeof logFormats)[number];

export interface Log {
  /**
   * At level `error` from status 500 on, at `warn` from 400 on, else at `info`. It is written at the
   * end of this turn of the event loop, together with others: each write wakes whoever reads them.
   */
  request(entry: RequestEntry): void;
  /** Something went wrong that no client may see; `id` is the request's. */
  error(message: string, error: unknown, id?: string): void;
  warn(message: string): void;
  info(message: string): void;
  /** Writes what waits for the end of the turn, when there will be none. */
  flush(): void;
}

export interface LogOptions {
  format: LogFormat;
  /** The least level that is logged. */
  level: LogLevel;
  /** Takes one or more lines, their ends included. */
  write: (lines: string) => void;
  /** Milliseconds since 1970 (UTC). */
  now: () => number;
}

/** Keeps a log line one line, and a terminal free of control sequences; JSON stays JSON. */
function harmless(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

/** The error with its stack and what caused it. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const text = error.stack ?? error.message;
  return error.cause === undefined ? text : `${text}\ncaused by ${describe(error.cause)}`;
}

/** A log of lines, one for each request. */
export function createLog({ format, level, write, now }: LogOptions): Log {
  const least = logLevels.indexOf(level);
  let pending = "";

  function flush(): void {
    const lines = pending;
    pending = "";
    if (lines !== "") write(lines);
  }

  function add(lineLevel: LogLevel, text: () => string, fields: () => object): void {
    if (logLevels.indexOf(lineLevel) < least) return;
    const time = new Date(now()).toISOString();
    const content =
      format === "json"
        ? JSON.stringify({ time, level: lineLevel, ...fields() })
        : `${time} ${text()}`;
    if (pending === "") setImmediate(flush);
    pending += `${harmless(content)}\n`;
  }

  /** At once: what comes next may be the end of the process. */
  function line(...entry: Parameters<typeof add>): void {
    add(...entry);
    flush();
  }

  function say(messageLevel: LogLevel, message: string): void {
    line(
      messageLevel,
      () => message,
      () => ({ message }),
    );
  }

  return {
    request({ id, method, path, status, ms, userId }) {
      const duration = ms.toFixed(1);
      add(
        status >= 500 ? "error" : status >= 400 ? "warn" : "info",
        () => `${id} ${method} ${path} ${status} ${duration}ms ${userId ?? "-"}`,
        () => ({ id, method, path, status, ms: Number(duration), user_id: userId ?? null }),
      );
    },
    error(message, error, id) {
      const detail = describe(error);
      line(
        "error",
        () => `${id ?? "-"} ${message}: ${detail.replace(/\s*\n\s*/g, " | ")}`,
        () => ({ id: id ?? null, message, detail }),
      );
    },
    warn: (message) => say("warn", message),
    info: (message) => say("info", message),
    flush,
  };
}
