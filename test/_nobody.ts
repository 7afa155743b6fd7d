import { spawn } from "node:child_process";
import { once } from "node:events";

/** Why a test that needs a second user of the system cannot run. */
export const skipUnlessRoot =
  process.getuid?.() === 0 ? false : "only root can act as another user of the system";

/** What another user of the system meets who connects to a socket: "connected", or the error's code. */
export async function connectAsNobody(path: string): Promise<string> {
  const script = `require("node:net").connect(process.argv[1])
    .on("connect", () => { console.log("connected"); process.exit(); })
    .on("error", (error) => console.log(error.code));`;
  const ids = { uid: 65_534, gid: 65_534 };
  const child = spawn(process.execPath, ["-e", script, path], { cwd: "/", ...ids });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
  await once(child, "close");
  return said.trim();
}
