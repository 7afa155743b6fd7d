import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, test } from "node:test";
import { formatManPage } from "../src/cli/help/man.ts";
import { createProgram } from "../src/cli/program.ts";
import { createHome } from "./_cli.ts";

const page = formatManPage(createProgram());

/** Programs that read man pages and complain about bad ones. */
const readers: [program: string, ...args: string[]][] = [
  ["groff", "-man", "-ww", "-Tutf8"],
  ["man", "--warnings", "-l", "-"],
  ["mandoc", "-T", "lint", "-W", "warning"],
];

function isThere(program: string): boolean {
  return spawnSync(program, ["--version"]).error === undefined;
}

describe("man page", () => {
  for (const [program, ...args] of readers) {
    const there = isThere(program);
    const note = there ? "" : " (not checked: it is not installed here)";
    test(`${program} shows it without warnings${note}`, (t) => {
      if (!there) {
        t.diagnostic(`${program} is missing on this machine`);
        return;
      }
      const { status, stdout, stderr } = spawnSync(program, args, {
        input: page,
        encoding: "utf8",
      });
      assert.equal(stderr, "");
      assert.equal(status, 0, stdout);
    });
  }

  test("has the usual sections in their order", () => {
    const sections = [...page.matchAll(/^\.SH "?([^"\n]+)"?$/gm)].map(([, title]) => title);
    assert.deepEqual(sections, [
      "NAME",
      "SYNOPSIS",
      "DESCRIPTION",
      "COMMANDS",
      "GLOBAL OPTIONS",
      "ENVIRONMENT",
      "EXIT STATUS",
      "FILES",
      "EXAMPLES",
    ]);
  });

  test("describes nested commands with their options, and no hidden ones", () => {
    const start = page.indexOf('.SS "todo keys add"');
    assert.ok(start > 0);
    assert.match(
      page.slice(start, page.indexOf(".SS", start + 1)),
      /^\.B \\-\\-scope <scope\.\.\.>$/m,
    );
    assert.doesNotMatch(page, /__complete/);
  });

  test("names no folder of the one who prints it", () => {
    assert.match(page, /\\\(ti\/\.local\/share\/todo/);
    assert.doesNotMatch(page, new RegExp(`${process.env["HOME"] ?? "/root"}/`));
  });

  test("is what `todo help --man` prints, with a date that can be given", async () => {
    using home = createHome();
    const env = { SOURCE_DATE_EPOCH: "86400" };
    const { code, stdout, stderr } = await home.run(["help", "--man"], { env });
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(stdout, /^\.TH TODO 1 1970-01-02 "todo /);
  });
});
