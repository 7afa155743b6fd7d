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
  request(entry: RequestEntry): void;
  /** Something went wrong that no client may see; `id` is the request's. */
  error(message: string, error: unknown, id?: string): void;
  info(message: string): void;
}

/** Keeps a log line one line, and a terminal free of control sequences. */
function harmless(text: string): string {
  return text.replace(/\p{C}/gu, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

export interface LogOptions {
  format: LogFormat;
  level: LogLevel;
  write(line: string): void;
  now(): number;
}

/** A log of lines, one for each request. */
export function createLog({ format, level, write, now }: LogOptions): Log {
  const least = logLevels.indexOf(level);
  const time = () => new Date(now()).toISOString();

  function line(lineLevel: LogLevel, text: string, fields: object): void {
    if (logLevels.indexOf(lineLevel) < least) return;
    const record = { time: time(), level: lineLevel, ...fields };
    write(format === "json" ? `${JSON.stringify(record)}\n` : `${time()} ${harmless(text)}\n`);
  }

  return {
    request({ id, method, path, status, ms, userId }) {
      const lineLevel = status >= 500 ? "error" : status >= 400 ? "warn" : "info";
      const duration = ms.toFixed(1);
      line(lineLevel, `${id} ${method} ${path} ${status} ${duration}ms ${userId ?? "-"}`, {
        id,
        method,
        path,
        status,
        ms: Number(duration),
        user_id: userId ?? null,
      });
    },
    error(message, error, id) {
      const detail = describe(error);
      line("error", `${id ?? "-"} ${message}: ${detail}`, { id: id ?? null, message, detail });
    },
    info(message) {
      line("info", message, { message });
    },
  };
}

