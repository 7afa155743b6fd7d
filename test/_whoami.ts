import assert from "node:assert/strict";
import type { Home } from "./_cli.ts";

/** Which server and account a command uses. */
export async function whoami(home: Home, args: string[] = [], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await home.run(["whoami", "--json", ...args], { env });
  assert.equal(code, 0, stderr);
  const { server, profile, user } = JSON.parse(stdout) as {
    server: string;
    profile: string | null;
    user: { id: string; email: string };
  };
  return { server, profile, id: user.id, email: user.email, stderr };
}
