import { networkInterfaces } from "node:os";

/** The URL at which others in the same network reach a server; undefined when they cannot. */
export function networkUrl(url: string, host: string): string | undefined {
  const reachable = new URL(url);
  if (host === "0.0.0.0" || host === "::") {
    const address = networkAddress();
    if (address === undefined) return undefined;
    reachable.hostname = address;
  }
  return isLoopback(reachable.hostname) ? undefined : reachable.origin;
}

/** An address of this machine in its network; IPv4, which is short, and the same for long. */
function networkAddress(): string | undefined {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family, address }) => {
      return !internal && family === "IPv4" && !address.startsWith("169.254.");
    })?.address;
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|127\..*|\[::1\])$/.test(hostname);
}

/** The text as a QR code for a terminal. */
export async function qrCode(text: string): Promise<string> {
  const { renderUnicodeCompact } = await import("uqr");
  return `${renderUnicodeCompact(text)}\n`;
}
