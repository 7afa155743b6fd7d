import { spawnSync } from "node:child_process";
import { chmodSync, readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "./folder.ts";
import type { Figure, Part, Size } from "./part.ts";
import { startServerProcess } from "./server-process.ts";
import { createSmallDisk, fileSystems, type SmallDisk } from "./small-disk.ts";
import { registerUser, type TodoUser } from "./todo-user.ts";

const project = fileURLToPath(new URL("../..", import.meta.url));

/** How many requests of each kind. */
const counts: Record<Size, number> = { full: 100, ci: 20 };

/** The real server on a real file system without space, or without the right to write. */
export const fullDisk: Part = {
  name: "full-disk",
  title: "a full disk, and one that cannot be written",
  async run(size, tell) {
    const figures: Figure[] = [];
    for (const kind of fileSystems) {
      tell(kind);
      using disk = createSmallDisk(kind);
      if (disk) figures.push(...(await proveFull(kind, disk, counts[size])));
      else figures.push({ what: kind, value: "not carried out", bar: "needs root", ok: true });
    }
    figures.push(readOnlyFolder());
    return figures;
  },
};

async function proveFull(kind: string, disk: SmallDisk, count: number): Promise<Figure[]> {
  const tally = createTally(`${kind}: `);
  const { all } = tally;
  let different = 0;
  const user = await (async () => {
    await using server = await startServerProcess({ folder: disk.path });
    const someone = await registerUser(server.http);
    await all("writes with space", 201, times(2 * count), () => create(someone));
    disk.fill();
    await untilFull(someone);
    await useFullDisk(someone, tally, "", count);
    different += await someone.differences();
    await server.end("SIGKILL");
    return someone;
  })();
  {
    await using server = await startServerProcess({ folder: disk.path });
    user.moveTo(server.http);
    different += await user.differences();
    await untilFull(user);
    await useFullDisk(user, tally, " after kill -9", count / 2);
    disk.empty();
    const waited = await untilSpace(user);
    tally.bounded("first write once space is back", waited, 5000);
    await all("writes once space is back", 201, times(count), () => create(user));
    different += await user.differences();
    disk.fill();
    const { code } = await server.end("SIGTERM");
    tally.add("stop on a full disk: status", String(code), "0", code === 0);
    const files = readdirSync(disk.path).join(" ");
    tally.add("stop on a full disk: leaves", files, "todo.db", files === "todo.db");
  }
  disk.empty();
  {
    await using server = await startServerProcess({ folder: disk.path });
    user.moveTo(server.http);
    different += await user.differences();
    await server.end("SIGTERM");
  }
  tally.add("todos lost, changed or come back", String(different), "0", different === 0);
  disk.makeReadOnly();
  const what = `${kind}: read-only, the server says`;
  return [...tally.figures, refusal(what, disk.path, false)];
}

/** Reads work, writes are refused, removals work, and then all that once more. */
async function useFullDisk(
  user: TodoUser,
  { all }: Tally,
  when: string,
  count: number,
): Promise<void> {
  const ids = [...user.confirmed.keys()];
  for (const part of [ids.slice(0, count / 2), ids.slice(count / 2, count)]) {
    await all(`reads on a full disk${when}`, 200, part, (id) => user.read(id));
    await all(`creations on a full disk${when}`, 507, part, () => create(user));
    await all(`changes on a full disk${when}`, 507, part, (id) => user.rename(id, filler()));
    await all(`removals on a full disk${when}`, 200, part, (id) => user.remove(id));
  }
}

/** There may be room left in the files themselves, and then for changes, which need less. */
async function untilFull(user: TodoUser): Promise<void> {
  const [id = ""] = user.confirmed.keys();
  await untilRefused(201, () => create(user));
  await untilRefused(200, () => user.rename(id, filler()));
}

async function untilRefused(usual: number, write: () => Promise<number>): Promise<void> {
  for (let tries = 0; tries < 20_000; tries++) {
    const status = await write();
    if (status === 507) return;
    if (status !== usual) throw new Error(`A write was answered ${status}`);
  }
  throw new Error("The disk does not become full");
}

async function untilSpace(user: TodoUser): Promise<number> {
  const started = performance.now();
  while ((await create(user)) !== 201) {
    if (performance.now() - started > 30_000) break;
    await sleep(20);
  }
  return performance.now() - started;
}

let number = 0;
const filler = (): string => `${number++} ${"x".repeat(200)}`;
const create = async (user: TodoUser): Promise<number> => (await user.create(filler())).status;
const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

type Tally = ReturnType<typeof createTally>;

function createTally(prefix: string) {
  const figures: Figure[] = [];
  const statuses = new Map<string, { figure: Figure; right: number; made: number }>();

  function add(what: string, value: string, bar: string, ok: boolean): void {
    figures.push({ what: prefix + what, value, bar, ok });
  }

  /** Requests that must all get one status; those of one name make one figure. */
  async function all<T>(
    what: string,
    status: number,
    inputs: readonly T[],
    send: (input: T) => Promise<number>,
  ): Promise<void> {
    let entry = statuses.get(what);
    if (!entry) {
      const figure = { what: prefix + what, value: "", bar: `all ${status}`, ok: true };
      statuses.set(what, (entry = { figure, right: 0, made: 0 }));
      figures.push(figure);
    }
    for (const input of inputs) {
      entry.made++;
      if ((await send(input)) === status) entry.right++;
    }
    entry.figure.value = `${entry.right} of ${entry.made}`;
    entry.figure.ok = entry.right === entry.made;
  }

  return {
    figures,
    add,
    all,
    bounded: (what: string, ms: number, limit: number) =>
      add(what, `${ms.toFixed(0)} ms`, `at most ${limit} ms`, ms <= limit),
  };
}

function readOnlyFolder(): Figure {
  using folder = temporaryFolder();
  chmodSync(folder.path, 0o500);
  return refusal("read-only folder: the server says", folder.path, true);
}

/** A start that must fail with one line that says why. */
function refusal(what: string, folder: string, unprivileged: boolean): Figure {
  const serve = ["--import", "tsx", "bin/todo.ts", "serve", "--port", "0", "--data", folder];
  const command = [process.execPath, ...serve];
  // Root may write everywhere, but not without its privileges.
  const isRoot = process.getuid?.() === 0;
  if (unprivileged && isRoot) command.unshift("setpriv", "--bounding-set=-all", "--inh-caps=-all");
  const { status, stderr } = spawnSync(command[0]!, command.slice(1), {
    cwd: project,
    encoding: "utf8",
    timeout: 60_000,
  });
  const reason = /^todo: .*(may not be read or written|on a disk that is read-only now).*\n$/;
  const ok = status === 1 && reason.test(stderr);
  return { what, value: stderr.trim().replace(folder, "…"), bar: "why, in one line", ok };
}
