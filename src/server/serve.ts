import { type Listener, listen } from "./listen.ts";
import { type Instance, type InstanceOptions, openInstance } from "./instance.ts";

export interface ServeOptions extends InstanceOptions {
  host: string;
  port: number;
}

export interface Serving {
  url: string;
  /** Resolves when the service has stopped, after `stop` or a signal. */
  stopped: Promise<void>;
  stop: () => void;
}

/** Requests in flight get so long to finish when the server stops. */
const graceMs = 10_000;

/**
 * Serves the API until it is told to stop. On the first SIGTERM or SIGINT it
 * stops accepting, finishes what is in flight and leaves one plain SQLite file.
 *
 * @throws StorageError when the data folder cannot be used
 * @throws an error with `code` EADDRINUSE, EACCES, … when it cannot listen
 */
export async function serve(options: ServeOptions): Promise<Serving> {
  const instance = await openInstance(options);
  let listener: Listener;
  try {
    listener = await listen(instance.app, options);
  } catch (error) {
    await instance.close();
    throw error;
  }
  instance.announce(listener.url);
  return { url: listener.url, ...stopping(listener, instance) };
}

function stopping(listener: Listener, instance: Instance): Pick<Serving, "stopped" | "stop"> {
  let stop = () => {};
  const told = new Promise<void>((resolve) => {
    stop = resolve;
  });
  async function untilStopped(): Promise<void> {
    await told;
    await listener.close(graceMs);
    await instance.close();
  }
  return { stopped: untilStopped(), stop };
}
