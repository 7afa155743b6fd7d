import assert from "node:assert/strict";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { Flags } from "../src/cli/flags.ts";
import { openAdmin } from "../src/cli/instance/admin-instance.ts";
import { startProcess } from "./_process.ts";
import { startServer, temporaryFolder } from "./_server.ts";

const flagsOf = (data: string) => ({ data, debug: false, timeout: 30 }) as Flags;

describe("the socket of the administration", () => {
  test("is there while a server runs, for its owner alone, and goes with it", async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, ".lock", "admin");
    {
      await using server = await startServer({ folder: folder.path });
      assert.equal(statSync(path).mode & 0o777, 0o600);
      const user = await server.register();
      const admin = await openAdmin(flagsOf(folder.path));
      assert.equal(admin.isServed, true);
      const { data } = await admin.client.users.list();
      assert.deepEqual(
        data.map(({ id }) => id),
        [user.user.id],
      );
      await admin.close();
    }
    assert.ok(!existsSync(path));
  });

  test("of a server that was killed is in nobody's way", async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, ".lock", "admin");
    {
      await using server = await startProcess({ folder: folder.path });
      server.kill("SIGKILL");
      await server.exit;
    }
    assert.ok(existsSync(path));
    const admin = await openAdmin(flagsOf(folder.path));
    assert.equal(admin.isServed, false);
    assert.ok(!existsSync(path));
    await admin.client.users.list();
    await admin.close();
    assert.deepEqual(readdirSync(folder.path), ["todo.db"]);
  });
});
