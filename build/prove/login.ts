import { randomUUID } from "node:crypto";
import { type Account, createAccount, post } from "./account.ts";
import { temporaryFolder } from "./folder.ts";
import { type Http, createHttp } from "./http.ts";
import type { Figure, Part, Size } from "./part.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";
import { median } from "./statistics.ts";

/** Logins of each kind whose times are compared, and how far their medians may be apart. */
const timed: Record<Size, { logins: number; percent: number }> = {
  full: { logins: 500, percent: 5 },
  // So few on a busy machine scatter more.
  ci: { logins: 40, percent: 50 },
};

/** Known e-mails that are tried; each takes nine failures without a pause. */
const perAccount = 9;

/** Logins tell nobody who is registered, and passwords cannot be tried at will. */
export const login: Part = {
  name: "login",
  title: "logins: equal times, and the pause after ten failures",
  async run(size, tell) {
    using folder = temporaryFolder();
    await using server = await startServerProcess({ folder: folder.path });
    const throttled = await measureThrottle(server);
    tell(`${timed[size].logins} logins of each kind`);
    return [...throttled, await measureTimes(server.http, size)];
  },
};

async function tryLogin(
  http: Http,
  email: string,
  password = "wrong password",
  headers: Record<string, string> = {},
): Promise<number> {
  return (await post(http, "/auth/login", { email, password }, headers)).status;
}

async function measureTimes(http: Http, size: Size): Promise<Figure> {
  const { logins, percent } = timed[size];
  const accounts: Account[] = [];
  while (accounts.length * perAccount < logins) accounts.push(await createAccount(http));
  const times: { known: number[]; unknown: number[] } = { known: [], unknown: [] };
  for (let i = 0; i < logins; i += 1) {
    const account = accounts[i % accounts.length]!;
    // In turn, so that a busier moment of the machine meets both alike.
    const both = [["known", account.email] as const, ["unknown", otherEmail()] as const];
    for (const [kind, email] of i % 2 === 0 ? both : both.toReversed()) {
      const started = performance.now();
      const status = await tryLogin(http, email);
      times[kind].push(performance.now() - started);
      if (status !== 401) throw new Error(`A wrong login was answered ${status}.`);
    }
  }
  const [known, unknown] = [median(times.known), median(times.unknown)];
  const apart = (Math.abs(known - unknown) / Math.min(known, unknown)) * 100;
  return {
    what: `medians of ${logins} logins with known and unknown e-mail`,
    value: `${known.toFixed(1)} ms and ${unknown.toFixed(1)} ms: ${apart.toFixed(1)} % apart`,
    bar: `at most ${percent} % apart`,
    ok: apart <= percent,
    isNoisy: true,
  };
}

/** As long as those of accounts. */
function otherEmail(): string {
  return `${randomUUID()}@example.org`;
}

async function measureThrottle({ http, url }: ServerProcess): Promise<Figure[]> {
  const [ada, grace] = [await createAccount(http), await createAccount(http)];
  const first = await countFailures(http, ada.email);
  const spoofed: number[] = [];
  for (let i = 0; i < 5; i += 1) {
    const headers = { "x-forwarded-for": `203.0.113.${i}`, forwarded: `for=203.0.113.${i}` };
    spoofed.push(await tryLogin(http, ada.email, ada.password, headers));
  }
  const unknown = await countFailures(http, otherEmail());
  const other = await tryLogin(http, grace.email, grace.password);
  // All of 127.0.0.0/8 is this machine.
  using elsewhere = createHttp(url, { localAddress: "127.0.0.2" });
  const fromElsewhere = await tryLogin(elsewhere, ada.email, ada.password);
  const byKey = await http.send({
    method: "GET",
    target: "/api/v1/todos",
    headers: { "x-api-key": ada.key },
  });
  return [
    failuresFigure("a registered e-mail", first),
    failuresFigure("an unknown e-mail", unknown),
    {
      what: "the right password during the pause, with a forged X-Forwarded-For",
      value: spoofed.join(", "),
      bar: "429 each time",
      ok: spoofed.every((status) => status === 429),
    },
    {
      what: "during the pause: another user, another address, and the user's own key",
      value: `${other}, ${fromElsewhere}, ${byKey.status}`,
      bar: "200, 200, 200",
      ok: [other, fromElsewhere, byKey.status].every((status) => status === 200),
    },
  ];
}

/** How many failures are answered 401 before the first 429. */
async function countFailures(http: Http, email: string): Promise<number> {
  for (let count = 0; count < 20; count += 1) {
    if ((await tryLogin(http, email)) === 429) return count;
  }
  return Infinity;
}

function failuresFigure(whose: string, count: number): Figure {
  const value = String(count);
  return { what: `failures before the pause, for ${whose}`, value, bar: "10", ok: count === 10 };
}
