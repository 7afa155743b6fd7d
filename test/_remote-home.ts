import assert from "node:assert/strict";
import { type Finished, type Home, createHome } from "./_cli.ts";
import { type TestServer, type TestUser, startServer } from "./_server.ts";

/** A user whose commands talk to a server of this test. */
export interface RemoteHome extends AsyncDisposable {
  server: TestServer;
  user: TestUser;
  run: Home["run"];
  runInTerminal: Home["runInTerminal"];
  /** Runs a command that must succeed; what it printed. */
  ok(args: readonly string[], input?: string): Promise<string>;
}

export async function createRemoteHome(): Promise<RemoteHome> {
  const server = await startServer();
  const user = await server.register();
  const home = createHome();
  const here = { TODO_SERVER: server.url, TODO_API_KEY: user.key };
  const withServer = (options?: Parameters<Home["runInTerminal"]>[1]) => ({
    ...options,
    env: { ...here, ...options?.env },
  });
  const run: Home["run"] = (args, options) => home.run(args, withServer(options));
  return {
    server,
    user,
    run,
    runInTerminal: (args, options) => home.runInTerminal(args, withServer(options)),
    async ok(args, input) {
      const finished: Finished = await run(args, input === undefined ? {} : { input });
      assert.equal(finished.code, 0, finished.stderr);
      return finished.stdout;
    },
    async [Symbol.asyncDispose]() {
      home[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}
