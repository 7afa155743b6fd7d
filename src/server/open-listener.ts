import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import type { RequestListener, Server } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { type Certificate as Pem, type HTTPSOptions, listen as listhen } from "listhen";

export interface OpenOptions {
  /** An address of this machine, or a name of one. */
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** A certificate and its key (PEM), or how to make a self-signed one; without it, plain HTTP. */
  https?: HTTPSOptions | SelfSigning;
  /** Properties of the server, set before it listens. */
  settings?: object;
}

/** The subject of a self-signed certificate; listhen takes these, too, but does not declare them. */
export interface SelfSigning {
  domains: string[];
  validityDays: number;
  commonName: string;
  organization: string;
  countryCode: string;
  state: string;
  locality: string;
  organizationalUnit: string;
}

export interface Opened {
  server: Server;
  address: AddressInfo;
  /** What it shows its clients (PEM); undefined for plain HTTP. */
  https: Pem | undefined;
}

/** Others may take the port in the moment between two looks. */
const maxAttempts = 3;

/**
 * Opens a server through listhen, on exactly that address: a port that is taken is an error, never
 * another port.
 *
 * @throws an error with the system's `code`: EADDRINUSE, EACCES, EADDRNOTAVAIL, ENOTFOUND, …
 * @throws RangeError for a port that browsers refuse, or an address with a zone (`%eth0`)
 */
export async function openListener(
  handle: RequestListener,
  { host, port, https, settings = {} }: OpenOptions,
): Promise<Opened> {
  for (let attempt = 1; ; attempt += 1) {
    const wanted = await probe(host, port);
    // listhen takes it for no address, and would listen on another.
    if (wanted.address.includes("%")) {
      throw new RangeError(
        `${host} holds within one network only, and cannot be listened on. Choose another address, or :: for all.`,
      );
    }
    try {
      return await openAt(wanted, handle, https, settings);
    } catch (error) {
      // If the port was taken meanwhile, the next probe says so; where any will do, it finds one.
      if (error instanceof RangeError || attempt === maxAttempts) throw error;
    }
  }
}

/**
 * Finds out whether the address can be had, and which port 0 becomes. listhen
 * says only that it found none, and names no reason.
 */
async function probe(host: string, port: number): Promise<AddressInfo> {
  const server = createServer().listen({ host, port });
  await once(server, "listening");
  const address = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return address;
}

async function openAt(
  wanted: AddressInfo,
  handle: RequestListener,
  https: OpenOptions["https"],
  settings: object,
): Promise<Opened> {
  const { address, port } = wanted;
  using opening = prepareServer(handle, settings);
  const listening = listhen(handle, {
    hostname: address,
    port,
    public: isWildcard(address),
    https: https ?? false,
    // Otherwise it takes another port when this one is taken, and prints what it does.
    isProd: true,
    isTest: true,
    showURL: false,
    // We close it ourselves; it would end the process.
    autoClose: false,
  });
  const listener = await Promise.race([listening, opening.failed]);
  const server = listener.server as Server;
  if ((server.address() as AddressInfo).port === port) {
    return { server, address: wanted, https: listener.https || undefined };
  }
  // It has a list of ports that browsers refuse (6000, 10080, …) and takes 3000 instead.
  server.close();
  throw new RangeError(`Port ${port} cannot be used: browsers refuse it. Choose another.`);
}

/** Where Node tells, at once, that a server is about to listen. */
const aboutToListen = "tracing:net.server.listen:asyncStart";

/**
 * Gets hold of the server that listhen makes before it listens: some settings count only until
 * then, and listhen lets a failure to listen end the process.
 */
function prepareServer(
  handle: RequestListener,
  settings: object,
): { failed: Promise<never> } & Disposable {
  let fail: (error: Error) => void;
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  function prepare(message: unknown): void {
    const { server } = message as { server: Server };
    if (!server.listeners("request").includes(handle)) return;
    Object.assign(server, settings);
    server.on("error", fail);
  }
  subscribe(aboutToListen, prepare);
  return {
    failed,
    [Symbol.dispose]: () => unsubscribe(aboutToListen, prepare),
  };
}

/** Whether that means all addresses of this machine. */
export function isWildcard(address: string): boolean {
  return address === "0.0.0.0" || address === "::";
}
