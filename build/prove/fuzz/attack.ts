import { once } from "node:events";
import { type Socket, connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Attack } from "./shapes.ts";

/** After so many milliseconds an attacker has waited long enough for an answer. */
const patienceMs = 3000;

/**
 * Carries out an attack on a connection of its own.
 *
 * @returns the statuses of all answers that came
 */
export async function attack(url: string, { chunks, vanishes }: Attack): Promise<number[]> {
  const { hostname, port } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname });
  const statuses: number[] = [];
  let tail = "";
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk: Buffer) => {
    // Bodies are JSON on one line: only the start of an answer looks like this.
    const received = tail + chunk.toString("latin1");
    for (const [, status] of received.matchAll(/HTTP\/1\.1 (\d{3}) /g)) {
      statuses.push(Number(status));
    }
    tail = received.slice(-15).replace(/HTTP\/1\.1 \d{3} /, "");
  });
  const closed = new Promise<void>((resolve) => {
    socket.once("close", () => resolve());
  });
  const patience = setTimeout(() => socket.destroy(), patienceMs);
  await write(socket, chunks, closed);
  if (vanishes === true) socket.resetAndDestroy();
  else socket.end();
  await closed;
  clearTimeout(patience);
  return statuses;
}

async function write(socket: Socket, chunks: Attack["chunks"], closed: Promise<void>) {
  for (const chunk of chunks) {
    if (socket.destroyed || socket.writableEnded) return;
    if (typeof chunk === "number") await Promise.race([sleep(chunk), closed]);
    else if (!socket.write(chunk)) {
      await Promise.race([once(socket, "drain").catch(() => {}), closed]);
    }
  }
}
