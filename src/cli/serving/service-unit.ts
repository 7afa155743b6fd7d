import { dirname } from "node:path";

/** What goes into the unit of a server. */
export interface UnitOptions {
  /** The program, and what must stand before `serve`. */
  command: readonly string[];
  /** Where the command must be run from, if that matters. */
  workingFolder?: string;
  /** The flags of `todo serve`, but for `--data`. */
  flags: readonly string[];
  port: number;
  /** Whether there are certificates from files to look for again. */
  canReload: boolean;
  /** Default: a folder that systemd makes. */
  data?: string;
  /** Default: a user that exists while the server runs. */
  user?: string;
  /** A unit of one's own user manager. */
  isUserUnit: boolean;
}

/** A systemd unit that runs the server with no more rights than it needs. */
export function serviceUnit(options: UnitOptions): string {
  const { isUserUnit } = options;
  const sections = [
    ["Unit", unitLines(isUserUnit)],
    [
      "Service",
      [...serviceLines(options), ...(isUserUnit ? userLimits(options) : systemLimits(options))],
    ],
    ["Install", [`WantedBy=${isUserUnit ? "default.target" : "multi-user.target"}`]],
  ] as const;
  return sections.map(([name, lines]) => `[${name}]\n${lines.join("\n")}\n`).join("\n");
}

function unitLines(isUserUnit: boolean): string[] {
  return [
    "Description=todo, a self-hosted todo service",
    // The user's manager knows nothing of the network.
    ...(isUserUnit ? [] : ["Wants=network-online.target", "After=network-online.target"]),
  ];
}

function serviceLines({ command, workingFolder, flags, data, ...options }: UnitOptions): string[] {
  const folder = data ?? (options.isUserUnit ? undefined : "%S/todo");
  const words = [
    // systemd looks for variables in what follows the program, and not in its path.
    quotePath(command[0]!),
    ...[...command.slice(1), "serve", ...flags].map(quoteArgument),
    // The specifier of the state directory stays one.
    ...(folder === undefined
      ? []
      : ["--data", data === undefined ? folder : quoteArgument(folder)]),
  ];
  return [
    "# Ready when it serves; restarted when its event loop hangs. NotifyAccess=all, because it",
    "# speaks to systemd through systemd-notify.",
    "Type=notify",
    "NotifyAccess=all",
    "WatchdogSec=60",
    `ExecStart=${words.join(" ")}`,
    // A minimal system has no command `kill`, but every shell does.
    ...(options.canReload ? ['ExecReload=/bin/sh -c "kill -HUP $MAINPID"'] : []),
    ...(workingFolder === undefined ? [] : [`WorkingDirectory=${escape(workingFolder)}`]),
    // Whoever ends it otherwise than through systemd does not mean that it should stay away.
    "Restart=always",
    "RestartSec=2",
    "# Requests in flight get 10 s to finish, and then the database is put in order.",
    "TimeoutStopSec=30",
    "UMask=0077",
  ];
}

/** What any user may ask for. */
function userLimits({ flags }: UnitOptions): string[] {
  // The names of this machine, for its certificate, come over netlink.
  const families = flags.includes("--https") ? "AF_NETLINK AF_UNIX" : "AF_UNIX";
  return [
    "",
    "NoNewPrivileges=yes",
    "LockPersonality=yes",
    "RestrictRealtime=yes",
    "RestrictSUIDSGID=yes",
    `RestrictAddressFamilies=AF_INET AF_INET6 ${families}`,
    "SystemCallArchitectures=native",
    "SystemCallFilter=@system-service",
    "SystemCallErrorNumber=EPERM",
    "# MemoryDenyWriteExecute must stay off: JavaScript and WebAssembly are compiled as they run.",
  ];
}

function systemLimits(options: UnitOptions): string[] {
  const { command, flags, port, data, user, workingFolder } = options;
  // The flags may name a certificate there.
  const isInHome = [command[0]!, workingFolder, data, ...flags].some((path) => {
    return path !== undefined && /^\/(home|root|run\/user)\//.test(path);
  });
  // Below 1024, the right to open the port is the one that is needed.
  const capability = port > 0 && port < 1024 ? "CAP_NET_BIND_SERVICE" : "";
  return [
    "",
    user === undefined ? "DynamicUser=yes" : `User=${escape(user)}`,
    ...(data === undefined
      ? ["StateDirectory=todo", "StateDirectoryMode=0700"]
      : [`ReadWritePaths=${quotePath(data)}`]),
    "ProtectSystem=strict",
    `ProtectHome=${isInHome ? "read-only" : "yes"}`,
    "PrivateTmp=yes",
    "PrivateDevices=yes",
    "ProtectClock=yes",
    "ProtectControlGroups=yes",
    "ProtectHostname=yes",
    "ProtectKernelLogs=yes",
    "ProtectKernelModules=yes",
    "ProtectKernelTunables=yes",
    "ProtectProc=invisible",
    "RestrictNamespaces=yes",
    "RemoveIPC=yes",
    `CapabilityBoundingSet=${capability}`,
    ...(capability === "" ? ["PrivateUsers=yes"] : [`AmbientCapabilities=${capability}`]),
    ...userLimits(options).slice(1),
  ];
}

/** A word of a command line, as systemd.service(5) reads it. */
function quoteArgument(word: string): string {
  return quoteEscaped(escape(word).replaceAll("$", "$$$$"));
}

/** A path where systemd looks for no variables. */
function quotePath(path: string): string {
  return quoteEscaped(escape(path));
}

function quoteEscaped(escaped: string): string {
  if (/^[\w@%+=:,./$[\]-]+$/.test(escaped)) return escaped;
  return `"${escaped.replace(/["\\]/g, String.raw`\$&`)}"`;
}

/** A percent sign would begin a specifier. */
function escape(text: string): string {
  return text.replaceAll("%", "%%");
}

/** How this program is run: the executable, or Node with the source. */
export function ownCommand(isExecutable: boolean): Pick<UnitOptions, "command" | "workingFolder"> {
  if (isExecutable) return { command: [process.execPath] };
  const program = process.argv[1]!;
  return {
    command: [process.execPath, ...process.execArgv, program],
    // tsx is found from there.
    workingFolder: dirname(dirname(program)),
  };
}
