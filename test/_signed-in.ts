import assert from "node:assert/strict";
import type { Client } from "../src/client/client.ts";
import { type Finished, type Home, type RunOptions, createHome } from "./_cli.ts";
import { type TestServer, startServer } from "./_server.ts";

/** A user of a server of their own, at a command line that is signed in to it. */
export interface SignedIn extends AsyncDisposable {
  server: TestServer;
  client: Client;
  home: Home;
  env: Record<string, string>;
  /** Runs a command that must succeed. */
  run(args: readonly string[], options?: RunOptions): Promise<Finished>;
  /** The result of a command that must succeed, as `--json` prints it. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into results of any shape
  json(args: readonly string[], options?: RunOptions): Promise<any>;
  /** Runs a command that must fail with the exit code, and answers what it says. */
  fail(code: number, args: readonly string[], options?: RunOptions): Promise<string>;
  /** What a terminal of so many columns shows of a command that must succeed. */
  show(args: readonly string[], options?: RunOptions & { columns?: number }): Promise<string>;
}

export async function signIn(): Promise<SignedIn> {
  const server = await startServer();
  const { key, client } = await server.register();
  const home = createHome();
  const env = { TODO_SERVER: server.url, TODO_API_KEY: key };
  const all = <T extends RunOptions>(options: T) => ({
    ...options,
    env: { ...env, ...options.env },
  });
  async function run(args: readonly string[], options: RunOptions = {}): Promise<Finished> {
    const finished = await home.run(args, all(options));
    assert.equal(finished.code, 0, `${args.join(" ")}: ${finished.stderr}`);
    return finished;
  }
  return {
    server,
    client,
    home,
    env,
    run,
    json: async (args, options) => JSON.parse((await run([...args, "--json"], options)).stdout),
    async fail(code, args, options = {}) {
      const finished = await home.run(args, all(options));
      assert.equal(finished.code, code, `${args.join(" ")}: ${finished.stdout}${finished.stderr}`);
      return finished.stderr;
    },
    async show(args, options = {}) {
      const finished = await home.runInTerminal(args, all(options));
      assert.equal(finished.code, 0, `${args.join(" ")}: ${finished.stdout}`);
      return finished.stdout.replaceAll("\r\n", "\n");
    },
    async [Symbol.asyncDispose]() {
      home[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}
