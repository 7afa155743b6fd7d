import { spawn } from "node:child_process";

/** What the service manager (systemd) is told, when it asks to be. */
export interface ServiceManager {
  ready(status: string): void;
  reloading(): void;
  stopping(): void;
}

interface Options {
  env: NodeJS.ProcessEnv;
  /** Told, once, when the service manager cannot be. */
  warn: (message: string) => void;
}

const nobody: ServiceManager = {
  ready: () => {},
  reloading: () => {},
  stopping: () => {},
};

/**
 * Speaks to the service manager as sd_notify(3) says, when NOTIFY_SOCKET is set. Node opens no
 * datagram sockets of the file system, so systemd's own command does.
 */
export function connectServiceManager({ env, warn }: Options): ServiceManager {
  if (!env["NOTIFY_SOCKET"]) return nobody;
  let hasFailed = false;
  let last = Promise.resolve();
  let isPinging = false;

  async function notify(...assignments: string[]): Promise<void> {
    try {
      await send(env, assignments);
    } catch (error) {
      if (!hasFailed) warn(`The service manager cannot be told: ${(error as Error).message}`);
      hasFailed = true;
    }
  }

  /** One after the other, so that they arrive in their order. */
  function notifyInOrder(...assignments: string[]): void {
    last = last.then(() => notify(...assignments));
  }

  /** On a machine that is slow to tell one, others would only queue up. */
  async function ping(): Promise<void> {
    if (isPinging) return;
    isPinging = true;
    await notify("WATCHDOG=1");
    isPinging = false;
  }

  const period = watchdogPeriod(env);
  let watchdog: NodeJS.Timeout | undefined;
  return {
    ready(status) {
      notifyInOrder("READY=1", `STATUS=${status}`);
      // From the event loop: when that hangs, the pings end.
      if (period !== undefined) watchdog ??= setInterval(() => void ping(), period);
      watchdog?.unref();
    },
    reloading: () => notifyInOrder("RELOADING=1"),
    // At once: the process may end before the others have arrived. The pings go on: stopping may
    // take a while, and must not hang either.
    stopping: () => void notify("STOPPING=1"),
  };
}

/** Milliseconds between two pings: half of what is allowed. Undefined when none are wanted. */
function watchdogPeriod(env: NodeJS.ProcessEnv): number | undefined {
  const { WATCHDOG_USEC: limit, WATCHDOG_PID: pid } = env;
  if (pid !== undefined && pid !== String(process.pid)) return undefined;
  const microseconds = Number(limit);
  return microseconds > 0 ? microseconds / 2000 : undefined;
}

function send(env: NodeJS.ProcessEnv, assignments: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn("systemd-notify", assignments, { env, stdio: "ignore" });
    child.on("error", reject);
    child.on("exit", (code, signal) => {
      // By which the service manager stops everything that belongs to the service.
      if (code === 0 || signal === "SIGTERM") resolve();
      else reject(new Error(`systemd-notify failed (${code ?? signal})`));
    });
    // A slow service manager does not keep the process alive.
    child.unref();
  });
}
