import { isAbsolute } from "node:path";
import { isSea } from "node:sea";
import { type Command, InvalidArgumentError, Option } from "commander";
import { CliError } from "../errors.ts";
import { type Flags, parseText } from "../flags.ts";
import { addExamples } from "../help/examples.ts";
import { certificateSource } from "../serving/certificate-source.ts";
import { ownCommand, serviceUnit } from "../serving/service-unit.ts";
import { parsePort } from "./serve.ts";

interface ServiceFlags extends Flags {
  host?: string;
  port?: number;
  https?: boolean;
  tlsCert?: string;
  tlsKey?: string;
  trustProxy?: string[];
  registration: boolean;
  user?: string;
  userUnit?: boolean;
}

/** `todo admin service`: a systemd unit that runs the server. */
export function addAdminServiceCommand(admin: Command): void {
  const command = admin
    .command("service")
    .description(
      "Print a systemd unit that runs this program's server, hardened. It keeps its data in /var/lib/todo unless --data names a folder.",
    )
    .summary("print a systemd unit for the server")
    .option("--host <host>", "address to listen on", parseWord)
    .addOption(new Option("--port <port>", "port to listen on").argParser(parsePort))
    .option("--https", "serve https with a self-signed certificate")
    .option("--tls-cert <file>", "serve https with this certificate (PEM)", parsePath)
    .option("--tls-key <file>", "the key of that certificate (PEM)", parsePath)
    .option("--trust-proxy <cidr...>", "believe X-Forwarded-For of proxies at these addresses")
    .option("--no-registration", "refuse new accounts")
    .option("--user <name>", "run as this user; else as one that systemd makes", parseUser)
    .option("--user-unit", "a unit for systemctl --user, with the data of this user")
    .action((_options: unknown, self: Command) => {
      printUnit(self.optsWithGlobals<ServiceFlags>(), self);
    });
  addExamples(command, [
    ["todo admin service > /etc/systemd/system/todo.service", "then: systemctl enable --now todo"],
    ["todo admin service --host 0.0.0.0 --https", "for the network"],
    ["todo admin service --user ada --data /srv/todo", "as a user, with a folder, that are there"],
    [
      "todo admin service --user-unit > ~/.config/systemd/user/todo.service",
      "then: systemctl --user enable --now todo",
    ],
  ]);
}

function printUnit(flags: ServiceFlags, command: Command): void {
  const { host, port, https, tlsCert, tlsKey, user, userUnit: isUserUnit = false } = flags;
  if (isUserUnit && user !== undefined) {
    throw new CliError("usage", "--user and --user-unit do not go together. Give one of them.");
  }
  // Says what does not fit together.
  certificateSource(flags);
  const isTyped = command.getOptionValueSourceWithGlobals("data") === "cli";
  const unit = serviceUnit({
    ...ownCommand(isSea()),
    flags: [
      ...(host === undefined ? [] : ["--host", host]),
      ...(port === undefined ? [] : ["--port", String(port)]),
      ...(https === true ? ["--https"] : []),
      ...(tlsCert === undefined ? [] : ["--tls-cert", tlsCert]),
      ...(tlsKey === undefined ? [] : ["--tls-key", tlsKey]),
      ...(flags.trustProxy ?? []).flatMap((range) => ["--trust-proxy", parseWord(range)]),
      ...(flags.registration ? [] : ["--no-registration"]),
    ],
    port: port ?? 0,
    canReload: tlsCert !== undefined,
    ...(isTyped && { data: parsePath(flags.data) }),
    ...(user !== undefined && { user }),
    isUserUnit,
  });
  process.stdout.write(unit);
}

/** A line of a unit ends where a control character would be. */
function parseWord(text: string): string {
  if (/\p{C}/u.test(parseText(text))) throw new InvalidArgumentError("It has control characters.");
  return text;
}

function parsePath(text: string): string {
  if (isAbsolute(parseWord(text))) return text;
  throw new InvalidArgumentError("systemd needs an absolute path.");
}

function parseUser(text: string): string {
  if (/^[a-z_][\w-]{0,31}\$?$/i.test(text)) return text;
  throw new InvalidArgumentError("That is not the name of a user.");
}
