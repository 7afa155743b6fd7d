import type { H3 } from "h3";
import { type AppOptions, createApp } from "../src/server/app.ts";
import { trustedProxies } from "../src/server/client-address.ts";
import { type LogFormat, createLog } from "../src/server/log.ts";
import { linesInto } from "./_log-lines.ts";

/** An app in which every operation fails, and the database too; and the lines of its log. */
export function failingApp(error: Error, format: LogFormat = "json"): { app: H3; log: string[] } {
  const log: string[] = [];
  const fail = () => {
    throw error;
  };
  const operations = new Proxy({}, { get: () => fail });
  const app = createApp({
    services: new Proxy({}, { get: () => operations }),
    subjects: {},
    credentials: { byKey: fail, byToken: fail, flush: fail },
    db: { durable: () => undefined, get: fail },
    log: createLog({ format, level: "info", write: linesInto(log), now: () => 0 }),
    proxies: trustedProxies([]),
    version: "1.0.0",
  } as unknown as AppOptions);
  return { app, log };
}
