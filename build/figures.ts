import { mkdtempSync, rmSync, statSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createClient } from "../src/client/client.ts";
import { type Command, median, startServer, timeOf } from "./figures/measure.ts";
import { dist } from "./package/project.ts";
import { fetchRuntime, hostPlatform, nodeVersion } from "./package/runtimes.ts";

const rows = 20;
const idleMs = 5000;

/** A row of the table: what was measured, and what it should be at most. */
interface Figure {
  what: string;
  measured: number;
  bare?: number;
  unit: "ms" | "MB";
  aim: string;
}

/**
 * Measures the built executable beside the bare Node that is in it, and prints a Markdown table.
 *
 *     npm run figures
 *     npm run figures -- --runs 51
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { runs: { type: "string", default: "21" } } });
  const host = hostPlatform();
  if (host === undefined) throw new Error("Figures are measured on Linux, x64 or arm64.");
  const { node } = await fetchRuntime(host);
  const folder = mkdtempSync(path.join(tmpdir(), "todo-figures-"));
  try {
    const figures = await measure(
      path.join(dist, `todo-${host}`),
      node,
      folder,
      Number(values.runs),
    );
    print(figures, Number(values.runs));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measure(todo: string, node: string, home: string, runs: number): Promise<Figure[]> {
  const data = { local: path.join(home, "local"), served: path.join(home, "served") };
  const serving: Command = {
    words: [todo, "--data", data.served, "serve", "--port", "0", "--log-level", "silent"],
  };
  await using server = await startServer(serving);
  const env = { HOME: home, TODO_SERVER: server.url, TODO_API_KEY: await fill(server.url) };
  const commands = {
    bare: { words: [node, "-e", "0"] },
    version: { words: [todo, "version"] },
    list: { words: [todo, "list"], env },
    add: { words: [todo, "--data", data.local, "add", "Water the plants"], env: { HOME: home } },
  } satisfies Record<string, Command>;
  // The first one makes the database and an account.
  await timeOf(commands.add);
  const times = { bare: [0], version: [0], list: [0], add: [0], ready: [0] };
  for (const list of Object.values(times)) list.pop();
  for (let run = 0; run < runs; run++) {
    for (const name of ["bare", "version", "list", "add"] as const) {
      times[name].push(await timeOf(commands[name]));
    }
    const words = [todo, "--data", data.local, ...serving.words.slice(3)] as const;
    await using another = await startServer({ words });
    times.ready.push(another.readyMs);
  }
  const bare = median(times.bare);
  await sleep(idleMs);
  const memory = { measured: server.memory() / 1e6, bare: await idleMemory(node) };
  const size = { measured: statSync(todo).size / 1e6, bare: statSync(node).size / 1e6 };
  return [
    { what: "Size of the file", ...size, unit: "MB", aim: "112 MB" },
    time("`todo version`", times.version, bare, 10),
    time(`\`todo list\`, ${rows} todos from a server`, times.list, bare, 35),
    time("`todo add`, without a server", times.add, bare, 150),
    time("`todo serve` until it answers", times.ready, bare, 200),
    { what: "Memory of an idle server", ...memory, unit: "MB", aim: "110 MB" },
  ];
}

function time(what: string, times: readonly number[], bare: number, over: number): Figure {
  return { what, measured: median(times), bare, unit: "ms", aim: `Node + ${over} ms` };
}

/** Makes an account with todos. Returns its key. */
async function fill(server: string): Promise<string> {
  const body = { email: "ada@example.org", password: "correct horse", name: "Ada" };
  const { data } = await createClient({ server }).auth.register({ body });
  const client = createClient({ server, key: data.api_key });
  for (let count = 1; count <= rows; count++) {
    await client.todos.create({ body: { title: `Water plant ${count}`, due_date: "2026-11-30" } });
  }
  return data.api_key;
}

/** A Node that does nothing, in MB. */
async function idleMemory(node: string): Promise<number> {
  const script = `
    console.log("serving nothing from nowhere");
    const timer = setInterval(() => {}, 1e6);
    process.on("SIGTERM", () => clearInterval(timer));`;
  await using idle = await startServer({ words: [node, "-e", script] });
  await sleep(idleMs);
  return idle.memory() / 1e6;
}

function print(figures: readonly Figure[], runs: number): void {
  const lines = figures.map(({ what, measured, bare, unit, aim }) => {
    const shown = (value: number) => `${value.toFixed(0)} ${unit}`;
    return `| ${what} | ${shown(measured)} | ${bare === undefined ? "" : shown(bare)} | ${aim} |`;
  });
  const [cpu] = cpus();
  console.log(["|  | todo | bare Node | aim |", "| --- | --- | --- | --- |", ...lines].join("\n"));
  console.log(
    `\nMedians of ${runs} interleaved runs on ${cpus().length} × ${cpu?.model ?? "unknown"}; bare Node is \`node -e 0\` of the same Node.js ${nodeVersion}, run between the others.`,
  );
}

await main();
