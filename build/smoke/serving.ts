import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import path from "node:path";
import { root } from "../package/project.ts";
import type { Running, User } from "./user.ts";

/** Runs the commands of the README's terminal sessions, as its reader would. */
export async function useCurl(user: User): Promise<void> {
  const readme = readFileSync(path.join(root, "README.md"), "utf8");
  const blocks = [...readme.matchAll(/```console\n([\s\S]*?)```/g)].map(([, block = ""]) => block);
  const commands = blocks.join("").match(/(?<=^\$ ).*/gm) ?? [];
  assert.ok(commands.length >= 8, "the README has its session");
  const { url, running } = await serve(user);
  const environment: Record<string, string> = {};
  let last = "";
  for (const command of commands) {
    // A reader copies what the command before has printed.
    if (command.startsWith("export KEY=")) {
      environment["KEY"] = /"api_key":"(\w+)"/.exec(last)?.[1] ?? "";
    } else if (command.startsWith("export ID=")) {
      environment["ID"] = /"data":\{"id":"([\w-]+)"/.exec(last)?.[1] ?? "";
    } else {
      const local = command.replaceAll("localhost:8636", new URL(url).host);
      last = (await user.start(["bash", "-c", local], environment).ended).stdout;
      assert.match(last, /^\{"(success":true|status":"ok)/, command);
    }
  }
  running.child.kill("SIGTERM");
  assert.equal((await running.ended).code, 0);
}

/** Stops the server between the halves of a request: it is answered, and kept. */
export async function sigtermDuringRequest(user: User): Promise<void> {
  const { url, running } = await serve(user);
  const { hostname, port } = new URL(url);
  const body = JSON.stringify({ email: "bob@example.org", password: "correct horse", name: "Bob" });
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  const answer = text(socket);
  const head = [
    "POST /api/v1/auth/register HTTP/1.1",
    "Host: localhost",
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    "Expect: 100-continue",
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  // The server asks for the rest: the request is under way.
  await once(socket, "readable");
  running.child.kill("SIGTERM");
  while (await accepts(hostname, Number(port))) await sleep(20);
  socket.write(body);
  assert.match(await answer, /HTTP\/1\.1 201[\s\S]*"success":true/);
  assert.equal((await running.ended).code, 0);
}

async function serve(user: User): Promise<{ url: string; running: Running }> {
  const running = user.start([...user.command, "--data", user.data, "serve", "--port", "0"]);
  let shown = "";
  running.child.stdout.on("data", (part: string) => (shown += part));
  await running.shows(" from ");
  return { url: /serving (\S+) from/.exec(shown)![1]!, running };
}

/** Whether somebody still takes connections there. */
function accepts(hostname: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, hostname)
      .on("connect", () => {
        socket.destroy();
        resolve(true);
      })
      .on("error", () => resolve(false));
  });
}
