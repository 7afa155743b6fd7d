import { compareLoads, inTurn } from "./compare.ts";
import { copyFixture, findFixture, password } from "./fixture.ts";
import { type Measured, measure } from "./loader.ts";
import { usual } from "./reads.ts";
import { oneTodo, reads } from "./requests.ts";
import type { Section } from "./section.ts";
import { startProject } from "./servers.ts";

const loginsPerSecond = 10;

/** Logs in at that rate, however long each login takes, until the work is done. */
async function besideLogins<T>(
  port: number,
  emails: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const logins: Promise<Response>[] = [];
  const timer = setInterval(() => {
    const email = emails[logins.length % emails.length];
    const body = JSON.stringify({ email, password });
    const headers = { "content-type": "application/json" };
    const url = `http://127.0.0.1:${port}/api/v1/auth/login`;
    logins.push(fetch(url, { method: "POST", headers, body }));
  }, 1000 / loginsPerSecond);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    const answers = await Promise.all(logins);
    const refused = answers.find(({ ok }) => !ok);
    // oxlint-disable-next-line no-unsafe-finally -- what was measured means nothing then
    if (refused !== undefined) throw new Error(`A login was answered ${refused.status}`);
  }
}

export const loginsSection: Section = {
  name: "logins",
  title: "reads beside logins",
  async run(settings) {
    const fixture = findFixture(usual);
    copyFixture(fixture, settings.folder);
    await using server = await startProject(settings.folder);
    const requests = reads(fixture.users, 100, oneTodo);
    const emails = fixture.users.map(({ email }) => email);
    const job = { connections: 32, ms: settings.ms * 2, requests };
    const { beside, alone } = await inTurn<"beside" | "alone", Measured>(settings, {
      beside: () => besideLogins(server.port, emails, () => measure(server, job)),
      alone: () => measure(server, job),
    });
    const work = `GET /todos/{id}, 32 connections, beside ${loginsPerSecond} logins/s, p99`;
    const what = { work, unit: "ms", against: "without logins", bar: { atMost: 2 } } as const;
    return [compareLoads(what, "p99", beside, alone)];
  },
};
