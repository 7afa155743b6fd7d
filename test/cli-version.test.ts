import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createHome } from "./_cli.ts";

describe("todo version", () => {
  test("--licenses, from source, says where they are", async () => {
    using home = createHome();
    const { code, stdout } = await home.run(["version", "--licenses"]);
    assert.equal(code, 0);
    assert.match(stdout, /MIT licence.*node_modules/);
  });
});
