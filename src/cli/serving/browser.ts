import { spawn } from "node:child_process";

/** What opens a URL with the user's browser, by platform. */
const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Opens the URL in the user's browser; tells why when that does not succeed. */
export function openBrowser(url: string, tell: (message: string) => void): void {
  const [command = "", ...args] = openers[process.platform] ?? ["xdg-open"];
  const fail = (reason: string) => tell(`No browser could be opened for ${url}: ${reason}`);
  const child = spawn(command, [...args, url], { stdio: "ignore", detached: true });
  child.on("error", ({ message }) => fail(message));
  child.on("exit", (code) => {
    if (code !== 0 && code !== null) fail(`${command} failed (${code})`);
  });
  child.unref();
}
