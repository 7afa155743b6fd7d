import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openConnection } from "./_connection.ts";
import { type ServerProcess, startProcess } from "./_process.ts";
import { temporaryFolder } from "./_server.ts";

const rounds = 5;
const clients = 64;

/** Acknowledged writes in a round: of one client, and of all of them together. */
const writesOfOne = 300;
const writesOfAll = 3200;

/** Lets clients post todos, each on its own connection; resolves to acknowledged ones a second. */
async function postTodos(
  { url }: ServerProcess,
  key: string,
  load: { clients: number; writes: number },
): Promise<number> {
  const connections = await Promise.all(
    Array.from({ length: load.clients }, () => openConnection(url, key)),
  );
  let left = load.writes;
  const started = performance.now();
  await Promise.all(
    connections.map(async (connection) => {
      while (left > 0) {
        left -= 1;
        const { status } = await connection.request("POST", "/todos", { title: "Buy milk" });
        assert.equal(status, 201);
      }
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  for (const connection of connections) connection.close();
  return load.writes / seconds;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

describe("group commit", () => {
  test(`lets ${clients} clients write at least three times as much as one`, async (t) => {
    using folder = temporaryFolder();
    await using server = await startProcess({
      folder: folder.path,
      flags: ["--log-level", "error"],
    });
    const { key } = await server.register();
    const one: number[] = [];
    const all: number[] = [];
    await postTodos(server, key, { clients, writes: writesOfAll });
    const ratio = () => median(all) / median(one);
    // More rounds while the machine is busy with other things.
    while (one.length < rounds || (ratio() < 3 && one.length < 5 * rounds)) {
      one.push(await postTodos(server, key, { clients: 1, writes: writesOfOne }));
      all.push(await postTodos(server, key, { clients, writes: writesOfAll }));
    }
    const [ofOne, ofAll] = [median(one), median(all)].map(Math.round);
    t.diagnostic(`one client ${ofOne}/s, ${clients} clients ${ofAll}/s`);
    assert.ok(ratio() >= 3, `${ratio().toFixed(1)} times as much`);
  });
});
