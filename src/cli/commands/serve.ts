import type { Command } from "commander";
import { InvalidArgumentError, Option } from "commander";
import type { Log } from "../../server/log.ts";
import type { Serving } from "../../server/serve.ts";
import { CliError } from "../errors.ts";
import { parseText } from "../flags.ts";
import { addExamples } from "../help/examples.ts";
import { openBrowser } from "../serving/browser.ts";
import { type CertificateFlags, certificateSource } from "../serving/certificate-source.ts";
import { keepStderrJson } from "../serving/json-stderr.ts";
import { lossyLog } from "../serving/lossy-log.ts";
import { networkUrl, qrCode } from "../serving/phone.ts";
import { connectServiceManager } from "../serving/service-manager.ts";
import { onceToldToStop } from "../stop-signals.ts";

interface ServeFlags extends CertificateFlags {
  host: string;
  port: number;
  data: string;
  cache: number;
  registration: boolean;
  open: boolean;
  qr: boolean;
  trustProxy?: string[];
  logFormat: "text" | "json";
  logLevel: "info" | "warn" | "error" | "silent";
}

/** `todo serve`: the API on this machine. */
export function addServeCommand(program: Command): void {
  const command = program
    .command("serve")
    .description("Serve the API from a data folder, until SIGTERM or Ctrl-C.")
    .summary("serve the API")
    .addOption(
      new Option("--host <host>", "address to listen on; 0.0.0.0 for all of this machine's")
        .env("TODO_HOST")
        .default("127.0.0.1")
        .argParser(parseText),
    )
    .addOption(
      new Option("--port <port>", "port to listen on; 0 takes a free one")
        .env("TODO_PORT")
        .default(8636)
        .argParser(parsePort),
    )
    .addOption(
      new Option("--cache <MiB>", "memory for the pages of the database")
        .default(16)
        .argParser(parseCache),
    )
    .option("--https", "serve https with a self-signed certificate, made once and kept")
    .addOption(
      new Option("--tls-cert <file>", "serve https with this certificate (PEM)")
        .env("TODO_TLS_CERT")
        .argParser(parseText),
    )
    .addOption(
      new Option("--tls-key <file>", "the key of that certificate (PEM)")
        .env("TODO_TLS_KEY")
        .argParser(parseText),
    )
    .option("--open", "open the browser", false)
    .option("--qr", "show a QR code of the URL, for a phone in the same network", false)
    .option("--no-registration", "refuse new accounts")
    .option(
      "--trust-proxy <cidr...>",
      "believe X-Forwarded-For of proxies at these addresses, such as 10.0.0.0/8",
    )
    .addOption(
      new Option("--log-format <format>", "form of the log, which goes to stderr")
        .choices(["text", "json"])
        .default("text"),
    )
    .addOption(
      new Option("--log-level <level>", "least level that is logged")
        .choices(["info", "warn", "error", "silent"])
        .default("info"),
    )
    .addHelpText(
      "after",
      "\nTODO_JWT_SECRET signs tokens when it is set (at least 32 bytes); otherwise the server keeps a\nsecret of its own. SIGHUP makes a server with https look for a new certificate, and\nstops one without. See also: todo help serving.",
    )
    .action(runServe);
  addExamples(command, [
    ["todo serve", "for this machine, on port 8636"],
    ["todo serve --port 0 --data ./try", "on a free port, with data of its own"],
    ["todo serve --host 0.0.0.0 --no-registration", "for the network, without new accounts"],
    ["todo serve --host 0.0.0.0 --https --qr", "for the phone in the same network"],
    ["todo serve --trust-proxy 127.0.0.1", "behind a reverse proxy on this machine"],
  ]);
}

/** A port of TCP; 0 stands for any free one. */
export function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError("A port is a number from 0 (any free one) to 65535.");
}

function parseCache(text: string): number {
  const mebibytes = Number(text);
  if (/^\d{1,4}$/.test(text) && mebibytes >= 1 && mebibytes <= 1024) return mebibytes;
  throw new InvalidArgumentError("Give MiB, from 1 to 1024.");
}

async function runServe(_options: unknown, command: Command): Promise<void> {
  const flags = command.optsWithGlobals<ServeFlags>();
  const jwtSecret = readJwtSecret();
  const certificate = certificateSource(flags);
  // From here on a signal leaves everything in order, also one that comes during the start.
  // Without https there is nothing for SIGHUP to look for again: its terminal was closed.
  const toldToStop = onceToldToStop(
    certificate === undefined ? ["SIGTERM", "SIGINT", "SIGHUP"] : ["SIGTERM", "SIGINT"],
  );
  // The server's modules take a while to load: no other command needs them.
  const { serve } = await import("../../server/serve.ts");
  const { createLog } = await import("../../server/log.ts");
  const { trustedProxies } = await import("../../server/client-address.ts");
  const log = createLog({
    format: flags.logFormat,
    level: flags.logLevel,
    write: lossyLog(),
    now: Date.now,
  });
  process.on("exit", () => log.flush());
  const isJson = flags.logFormat === "json";
  const serving = await serve({
    host: flags.host,
    port: flags.port,
    folder: flags.data,
    cacheKiB: flags.cache * 1024,
    jwtSecret,
    certificate,
    registrationOpen: flags.registration,
    proxies: parseProxies(flags.trustProxy ?? [], trustedProxies),
    log,
    ...(isJson && keepStderrJson(log)),
  }).catch((error: unknown) => {
    throw toCliError(error, flags);
  });
  toldToStop.addEventListener("abort", serving.stop);
  if (toldToStop.aborted) serving.stop();
  else await accompany(serving, { flags, log, toldToStop });
  await serving.stopped;
  if (isJson) log.info("Stopped");
}

interface Company {
  flags: ServeFlags;
  log: Log;
  toldToStop: AbortSignal;
}

/** Says that it serves to whoever wants to know, and passes on what the server is told meanwhile. */
async function accompany(serving: Serving, { flags, log, toldToStop }: Company): Promise<void> {
  const { url } = serving;
  process.stdout.write(`todo is serving ${url} from ${flags.data}\n`);
  // In text, that line and the end of the process say it.
  if (flags.logFormat === "json") log.info(`Serving ${url} from ${flags.data}`);
  const manager = connectServiceManager({ env: process.env, warn: (message) => log.warn(message) });
  manager.ready(`Serving ${url}`);
  toldToStop.addEventListener("abort", () => {
    if (flags.logFormat === "json") log.info("Stopping");
    manager.stopping();
  });
  if (url.startsWith("https:")) {
    process.on("SIGHUP", () => {
      manager.reloading();
      void serving.reload().then(() => manager.ready(`Serving ${url}`));
    });
  }
  if (flags.open) openBrowser(`${url}/`, (message) => log.warn(message));
  if (flags.qr) await showQrCode(url, flags, log);
}

async function showQrCode(url: string, { host, logFormat }: ServeFlags, log: Log): Promise<void> {
  const reachable = networkUrl(url, host);
  if (reachable === undefined) {
    log.warn(`No QR code: a phone cannot reach ${url}. Serve the network with --host 0.0.0.0.`);
    return;
  }
  log.info(`For a phone in the same network: ${reachable}`);
  if (logFormat === "text" && process.stderr.isTTY) process.stderr.write(await qrCode(reachable));
}

function parseProxies<T>(ranges: string[], parse: (ranges: string[]) => T): T {
  try {
    return parse(ranges);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new CliError("usage", `--trust-proxy: ${error.message}`, { cause: error });
  }
}

function readJwtSecret(): string | undefined {
  const secret = process.env["TODO_JWT_SECRET"];
  if (secret === undefined || Buffer.byteLength(secret) >= 32) return secret;
  throw new CliError(
    "usage",
    "TODO_JWT_SECRET is shorter than 32 bytes. Set a longer one, or unset it: the server then keeps a secret of its own.",
  );
}

function toCliError(error: unknown, { host, port }: ServeFlags): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const unknownHost = `${host} is not a known host. Choose an address with --host, such as 127.0.0.1 or 0.0.0.0.`;
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} on ${host} is taken. Stop what uses it, or choose another with --port (0 takes a free one).`,
    EACCES: `Port ${port} on ${host} may not be opened by this user. Choose one above 1023 with --port.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine. Choose one with --host, such as 127.0.0.1 or 0.0.0.0.`,
    // Such as fe80::1, which every network has.
    EINVAL: `${host} cannot be listened on. Choose another address with --host, such as 127.0.0.1 or 0.0.0.0.`,
    ENOTFOUND: unknownHost,
    EAI_AGAIN: unknownHost,
  };
  if (error instanceof Error && error.name === "CertificateError") {
    return new CliError("failed", error.message, { cause: error });
  }
  // A port that nothing is wrong with but that browsers refuse, or an address that listhen does.
  if (error instanceof RangeError) return new CliError("usage", error.message, { cause: error });
  const message = reasons[code ?? ""];
  return message === undefined ? error : new CliError("failed", message, { cause: error });
}
