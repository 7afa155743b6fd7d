import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, test } from "node:test";
import { paletteStyles } from "../src/cli/output/colors.ts";
import { paletteOf, palettes } from "../src/cli/themes/palette.ts";
import { schema } from "../migrations/001-schema.ts";
import { themes } from "../migrations/002-themes.ts";
import { type SignedIn, signIn } from "./_signed-in.ts";

/** The names of the caller's themes and whether they are active. */
async function installed({ client }: SignedIn): Promise<Record<string, boolean>> {
  const catalogue = (await client.catalogue.list()).data;
  const { data } = await client.userThemes.list();
  return Object.fromEntries(
    data.map(({ theme_id, is_active }) => [
      catalogue.find(({ id }) => id === theme_id)!.name,
      is_active,
    ]),
  );
}

const truecolor = { env: { COLORTERM: "truecolor" } };
const rgb = (color: string) =>
  `\u001B[38;2;${[1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16)).join(";")}m`;

describe("todo themes", { concurrency: 2 }, () => {
  test("uses a theme: installed if need be, and the only active one", async () => {
    await using user = await signIn();
    const nord = await user.json(["themes", "use", "nord"]);
    assert.equal(nord.is_active, true);
    assert.deepEqual(await installed(user), { nord: true });
    await user.run(["themes", "install", "paper"]);
    assert.deepEqual(await installed(user), { nord: true, paper: false });
    assert.equal((await user.run(["themes", "use", "Rosé Pine"])).stdout, "Using rose-pine\n");
    assert.deepEqual(await installed(user), { nord: false, paper: false, "rose-pine": true });
    await user.run(["themes", "use", "PAPER"]);
    assert.deepEqual(await installed(user), { nord: false, paper: true, "rose-pine": false });
    assert.equal(await user.json(["themes", "use", "none"]), null);
    assert.deepEqual(await installed(user), { nord: false, paper: false, "rose-pine": false });
  });

  test("gives the terminal its colours, from then on and without a request", async () => {
    await using user = await signIn();
    await user.client.projects.create({ body: { name: "Home" } });
    const { muted, primary } = palettes["dracula"]!;
    assert.ok(!(await user.show(["projects"], truecolor)).includes(rgb(muted)));
    await user.run(["themes", "use", "dracula"]);

    const before = user.server.log.length;
    assert.ok((await user.show(["projects"], truecolor)).includes(rgb(muted)));
    assert.equal(user.server.log.length - before, 1);

    const list = await user.show(["themes"], truecolor);
    assert.ok(list.includes(`${rgb(primary)}dracula\u001B[39m`), list);
    await user.run(["themes", "set", "dracula", "primary_color=#123456"]);
    const own = await user.show(["themes"], truecolor);
    assert.ok(own.includes(`${rgb("#123456")}dracula\u001B[39m`), own);
    assert.ok(own.includes(rgb(muted)));

    await user.run(["themes", "remove", "dracula"]);
    assert.ok(!(await user.show(["projects"], truecolor)).includes(rgb(muted)));
  });

  test("gives colours only to a terminal that has them and a user who wants them", async () => {
    await using user = await signIn();
    await user.client.projects.create({ body: { name: "Home" } });
    await user.run(["themes", "use", "dracula"]);
    const plain = [
      await user.show(["projects", "--no-color"], truecolor),
      await user.show(["projects"], { env: { NO_COLOR: "1", COLORTERM: "truecolor" } }),
      await user.show(["projects"], { env: { TERM: "dumb" } }),
      (await user.run(["projects"], truecolor)).stdout,
    ];
    for (const shown of plain) assert.ok(!shown.includes("\u001B"), JSON.stringify(shown));
    assert.ok((await user.show(["projects"])).includes("\u001B[38;5;"));
    const few = await user.show(["projects"], { env: { TERM: "linux" } });
    assert.ok(few.includes("\u001B[2mID"), few);
    assert.ok(!few.includes("38;") && !few.includes("■"), few);
  });

  test("keeps settings, each of which can be cleared", async () => {
    await using user = await signIn();
    await user.run(["themes", "install", "nord"]);
    const set = async (...settings: string[]) =>
      (await user.json(["themes", "set", "nord", ...settings])).custom_settings;
    assert.deepEqual(await set("font_size=14px", "wide:=true"), { font_size: "14px", wide: true });
    assert.deepEqual(await set("primary_color=teal", "wide=none"), {
      font_size: "14px",
      primary_color: "#14A8A0",
    });
    assert.equal(await set("font_size=none", "primary_color=none"), null);
    assert.match(await user.fail(2, ["themes", "set", "nord", "primary_color=mauve"]), /#8B5CF6/);
    assert.match(await user.fail(2, ["themes", "set", "nord", "font_size"]), /name=text/);
  });

  test("lists and shows the catalogue and what is the caller's", async () => {
    await using user = await signIn();
    await user.run(["themes", "use", "nord", "-q"]);
    const all = await user.json(["themes"]);
    assert.equal(all.length, 12);
    const [mine, ...others] = await user.json(["themes", "list", "--installed"]);
    assert.deepEqual(others, []);
    assert.equal(mine.theme.name, "nord");
    assert.equal(mine.installation.theme_id, mine.theme.id);
    assert.deepEqual(await user.json(["themes", "show", "NORD"]), mine);
    const { stdout } = await user.run(["themes", "show", "okabe-ito"]);
    assert.match(stdout, /^Name\tokabe-ito\nTitle\tOkabe-Ito\nYours\tnot installed\n/);
  });

  test("suggests the theme that was meant, and says what is not installed", async () => {
    await using user = await signIn();
    assert.match(
      await user.fail(3, ["themes", "use", "tokio-night"]),
      /Did you mean tokyo-night\?/,
    );
    assert.match(await user.fail(3, ["themes", "show", "x"]), /`todo themes` lists them/);
    assert.match(await user.fail(3, ["themes", "remove", "nord"]), /todo themes install nord/);
    assert.deepEqual(await installed(user), {});
  });

  test("removes one without a question, several after one", async () => {
    await using user = await signIn();
    for (const name of ["nord", "paper", "dracula"]) await user.run(["themes", "install", name]);
    assert.equal((await user.run(["themes", "remove", "nord"])).stdout, "Removed nord\n");
    assert.match(await user.fail(2, ["themes", "rm", "paper", "dracula"]), /Remove 2 themes/);
    await user.run(["themes", "rm", "paper", "dracula", "-y"]);
    assert.deepEqual(await installed(user), {});
  });

  test("is of each account, and no command fails for what is remembered of it", async () => {
    await using user = await signIn();
    await user.client.projects.create({ body: { name: "Home" } });
    await user.run(["themes", "use", "dracula"]);
    const path = join(user.home.path, ".local", "state", "todo", "themes.json");
    assert.ok(existsSync(path));
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.ok(!readFileSync(path, "utf8").includes(user.env["TODO_API_KEY"]!));

    const other = await user.server.register();
    await other.client.projects.create({ body: { name: "Home" } });
    const env = { ...truecolor.env, TODO_API_KEY: other.key };
    const { muted } = palettes["dracula"]!;
    assert.ok(!(await user.show(["projects"], { env })).includes(rgb(muted)));

    const broken = ["{", "null"];
    for (const text of broken) {
      writeFileSync(path, text);
      assert.match(await user.show(["projects"], truecolor), /Home/, text);
    }
    await user.run(["themes"]);
    assert.ok((await user.show(["projects"], truecolor)).includes(rgb(muted)));
  });

  test("needs no folder in which it could be remembered", async () => {
    await using user = await signIn();
    const env = { XDG_STATE_HOME: "/proc/nope" };
    const { stderr } = await user.run(["themes", "use", "nord"], { env });
    assert.match(stderr, /^The colours could not be kept: \/proc\/nope/m);
    await user.run(["projects"], { env });
  });
});

describe("the palettes", () => {
  test("are those of the catalogue's migration", async () => {
    type Rows = { values: [name: string, palette: string][] }[];
    const initSqlJs = createRequire(import.meta.url)("sql.js") as () => Promise<{
      Database: new () => { exec(sql: string): Rows };
    }>;
    const { Database } = await initSqlJs();
    const database = new Database();
    database.exec(schema.up);
    database.exec(themes.up);
    const [result] = database.exec("SELECT name, palette FROM themes");
    const expected = result!.values.map(([name, palette]) => [name, JSON.parse(palette)]);
    assert.deepEqual(palettes, Object.fromEntries(expected));
  });

  test("are known by their names only", () => {
    assert.equal(paletteOf("nord"), palettes["nord"]);
    for (const name of ["unknown", "constructor", ""]) assert.equal(paletteOf(name), undefined);
  });
});

describe("a style", () => {
  const palette = palettes["nord"]!;

  test("takes the palette's colour, the nearest of 256 or exactly", () => {
    assert.equal(paletteStyles(palette, 24)("red", "x"), "\u001B[38;2;191;97;106mx\u001B[39m");
    assert.equal(paletteStyles(palette, 8)("red", "x"), "\u001B[38;5;131mx\u001B[39m");
    assert.equal(
      paletteStyles(palette, 24)(["bold", "red"], "x").replaceAll("\u001B", ""),
      "[38;2;191;97;106m[1mx[22m[39m",
    );
  });

  test("is the terminal's own without a palette, and with fewer than 256 colours", () => {
    assert.equal(paletteStyles({}, 24)("red", "x"), "\u001B[31mx\u001B[39m");
    assert.equal(paletteStyles(palette, 4)("red", "x"), "\u001B[31mx\u001B[39m");
    assert.equal(paletteStyles(palette, 4)("#ff0000", "x"), "x");
  });

  test("is none without colours", () => {
    assert.equal(paletteStyles(palette, 1)(["bold", "red"], "x"), "x");
    assert.equal(paletteStyles(palette, 1)("#ff0000", "x"), "x");
  });

  test("finds xterm's cube and greys", () => {
    const style = paletteStyles({}, 8);
    const code = (color: `#${string}`) => /5;(\d+)m/.exec(style(color, "x"))?.[1];
    assert.equal(code("#000000"), "16");
    assert.equal(code("#ffffff"), "231");
    assert.equal(code("#ff0000"), "196");
    assert.equal(code("#5f87af"), "67");
    assert.equal(code("#808080"), "244");
    assert.equal(code("#121212"), "233");
  });

  test("is no way for a server to send escape sequences", () => {
    const style = paletteStyles({ danger: "#\u001B[2J" }, 24);
    assert.equal(style("red", "x"), "x");
    assert.equal(style("#\u001B[2J", "x"), "x");
  });
});
