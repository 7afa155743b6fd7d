import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { describe, test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import type { Command } from "commander";
import { exitCodes } from "../src/cli/errors.ts";
import { examplesOf } from "../src/cli/help/examples.ts";
import { ancestorsOf, namesOf } from "../src/cli/help/layout.ts";
import { type Topic, isTopic, readTopic, topics } from "../src/cli/help/topics.ts";
import { createProgram } from "../src/cli/program.ts";
import { createHome } from "./_cli.ts";

const program = createProgram();
const names = Object.keys(topics) as Topic[];

/** The commands that help shows, from the program down. */
function visible(command: Command): Command[] {
  const shown = command.createHelp().visibleCommands(command);
  const own = shown.filter((sub) => command.commands.includes(sub));
  return [command, ...own.flatMap(visible)];
}

function nameOf(command: Command): string {
  return [command, ...ancestorsOf(command)]
    .toReversed()
    .map((each) => each.name())
    .join(" ");
}

/** The help as a terminal of so many columns shows it. */
function helpAt(command: Command, helpWidth: number): string {
  const helper = command.createHelp();
  helper.prepareContext({ helpWidth });
  return stripVTControlCharacters(helper.formatHelp(command, helper));
}

/** What is wrong with the commands `todo …` in a line: commands and flags that do not exist. */
function mistakesIn(line: string): string[] {
  const found = [...line.matchAll(/(?:^|[|(;] *)todo((?: [^|)#;]*)?)/g)];
  return found.flatMap(([, words = ""]) => mistakesAmong(words));
}

function mistakesAmong(words: string): string[] {
  // Texts in quotes, and what follows `--`, are the user's.
  const args = words
    .replace(/"[^"]*"|'[^']*'/g, "TEXT")
    .replace(/ -- .*/, "")
    .trim()
    .split(/\s+/);
  let command = program;
  for (const arg of args) {
    const next = command.commands.find((sub) => namesOf(sub).includes(arg));
    if (next === undefined) break;
    command = next;
  }
  const options = [command, ...ancestorsOf(command)].flatMap((each) => each.options);
  const known = new Set(options.flatMap(({ short, long }) => [short, long]));
  const flags = args.filter((arg) => /^(--\w|-[a-zA-Z]$)/.test(arg) && arg !== "--help");
  const mistakes = flags.filter((flag) => !known.has(flag.split("=")[0]));
  if (command === program && /^[a-z]+$/.test(args[0]!)) mistakes.push(args[0]!);
  return mistakes;
}

describe("help of every command", { concurrency: 2 }, () => {
  for (const command of visible(program)) {
    const name = nameOf(command);
    test(`${name} has examples, a summary, descriptions`, () => {
      assert.ok(examplesOf(command).length > 0, "examples");
      assert.match(command.description(), /\S/, "description");
      if (command !== program) assert.match(command.summary(), /\S/, "summary");
      for (const { flags, description } of command.options) assert.match(description, /\S/, flags);
    });

    test(`${name} has examples that it understands`, () => {
      for (const [line] of examplesOf(command)) assert.deepEqual(mistakesIn(line), [], line);
    });

    for (const width of [40, 80]) {
      test(`${name} fits ${width} columns`, () => {
        const help = helpAt(command, width);
        assert.match(help, /^Examples:\n/);
        const commandLines = examplesOf(command).map(([line]) => line);
        for (const line of help.split("\n")) {
          // A command line is copied, so it stays whole.
          const isCommandLine = commandLines.some((shown) => line.startsWith(`  ${shown}`));
          assert.ok(line.length <= width || isCommandLine, line);
        }
      });
    }
  }

  test("an example with a flag that does not exist would be noticed", () => {
    assert.deepEqual(mistakesIn("todo list --ids | todo done --nonsense -"), ["--nonsense"]);
    assert.deepEqual(mistakesIn("todo nonsense"), ["nonsense"]);
  });

  test("every command of the program stands in a group", () => {
    for (const command of visible(program).filter(({ parent }) => parent === program)) {
      assert.match(command.helpGroup(), /^\w+:$/, command.name());
    }
  });
});

describe("todo help", { concurrency: 2 }, () => {
  test("shows the groups, the topics and the global options", async () => {
    using home = createHome();
    const { code, stdout, stderr } = await home.run(["help"]);
    assert.deepEqual([code, stderr], [0, ""]);
    const titles = [...stdout.matchAll(/^(\w[\w ]*):$/gm)].map(([, title]) => title);
    assert.deepEqual(titles, [
      "Examples",
      "Todos",
      "Nouns",
      "Account",
      "Server",
      "Data",
      "Meta",
      "Topics",
      "Global options",
    ]);
    assert.equal((await home.run(["--help"])).stdout, stdout);
    assert.doesNotMatch(stdout, /__complete|default: false/);
  });

  test("explains a command, also a nested one and by its short name", async () => {
    using home = createHome();
    const asked = await home.run(["help", "ls"]);
    assert.match(
      asked.stdout,
      /^Examples:\n[\s\S]*\nUsage: todo list\|ls [\s\S]*\nGlobal options:\n/,
    );
    assert.equal(asked.code, 0);
    const nested = await home.run(["help", "keys", "add"]);
    assert.equal(nested.stdout, (await home.run(["keys", "add", "--help"])).stdout);
    assert.match(nested.stdout, /Usage: todo keys add /);
  });

  test("prints a topic as it is into a pipe", async () => {
    using home = createHome();
    const { code, stdout } = await home.run(["help", "dates"]);
    assert.equal(code, 0);
    assert.equal(stdout, readTopic("dates"));
  });

  test("prints a topic for people in a terminal, in its width", async () => {
    using home = createHome();
    const { stdout } = await home.runInTerminal(["help", "security"], { columns: 44 });
    assert.ok(stdout.startsWith("\u001b[1mSecurity\u001b[22m"), stdout.slice(0, 40));
    const lines = stripVTControlCharacters(stdout).split(/\r?\n/);
    assert.ok(lines.length > readTopic("security").split("\n").length);
    for (const line of lines) {
      assert.ok(line.length <= 44, line);
      assert.doesNotMatch(line, /^#|`|\*\*/);
    }
  });

  test("suggests what an unknown topic may have meant", async () => {
    using home = createHome();
    const { code, stdout, stderr } = await home.run(["help", "enviroment"]);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, /no command or topic "enviroment".*Did you mean `environment`\?/);
  });

  test("suggests what an unknown nested command may have meant", async () => {
    using home = createHome();
    const { code, stderr } = await home.run(["help", "keys", "ad"]);
    assert.equal(code, 2);
    assert.match(stderr, /no command of keys "ad".*Did you mean `add`\?/);
  });
});

describe("a typo", { concurrency: 2 }, () => {
  const typos: [string[], RegExp][] = [
    [["lst"], /unknown command 'lst'.*Did you mean (list|ls)\?/],
    [["keys", "ad"], /unknown command 'ad'.*Did you mean add\?/],
    [["projects", "remvoe", "Home"], /unknown command 'remvoe'.*Did you mean remove\?/],
    [["list", "--statsu", "open"], /unknown option '--statsu'.*Did you mean --status\?/],
    [["delete", "9e0b1c2"], /unknown command 'delete' \(Did you mean remove\?\)/],
    [["complete", "9e0b1c2"], /unknown command 'complete' \(Did you mean done\?\)/],
    [["projects", "delete", "Home"], /unknown command 'delete' \(Did you mean remove\?\)/],
    [["frobnicate"], /unknown command 'frobnicate'\. See `todo --help`\.$/m],
    [["list", "+Home"], /too many arguments .* See `todo list --help`\.$/m],
    [["ls", "-L", "5"], /unknown option '-L'\. See `todo list --help`\.$/m],
    [["rec", "add"], /missing required argument 'title'\. See `todo recurring add --help`\.$/m],
    [["keys", "add", "--jsno"], /unknown option '--jsno'.*Did you mean --json\?/],
  ];
  for (const [args, message] of typos) {
    test(`in "todo ${args.join(" ")}" gets a suggestion and runs nothing`, async () => {
      using home = createHome();
      const { code, stdout, stderr } = await home.run(args);
      assert.deepEqual([code, stdout], [2, ""]);
      assert.match(stderr, message);
      assert.deepEqual(readdirSync(home.path), []);
    });
  }
});

describe("help topics", () => {
  for (const name of names) {
    test(`${name} is Markdown with a heading and understandable commands`, () => {
      const text = readTopic(name);
      assert.match(text, /^# \S/);
      for (const [, block = ""] of text.matchAll(/```sh\n([\s\S]*?)```/g)) {
        for (const line of block.split("\n")) assert.deepEqual(mistakesIn(line), [], line);
      }
    });
  }

  test("are all those that there are files for", () => {
    const folder = readdirSync(new URL("../src/cli/help", import.meta.url));
    const files = folder.filter((file) => file.endsWith(".md"));
    assert.deepEqual(files.toSorted(), names.map((name) => `${name}.md`).toSorted());
    assert.ok(!isTopic("toString"));
  });

  test("environment names every variable that the program reads", () => {
    const root = new URL("../src/", import.meta.url);
    const files = readdirSync(root, { recursive: true, encoding: "utf8" });
    const sources = files.filter((file) => file.endsWith(".ts") && existsSync(new URL(file, root)));
    const read = sources.flatMap((file) =>
      [...readFileSync(new URL(file, root), "utf8").matchAll(/"(TODO_[A-Z_]+)"/g)].map(
        ([, v]) => v!,
      ),
    );
    const text = readTopic("environment");
    assert.ok(read.length > 5);
    for (const variable of read) assert.ok(text.includes(`\`${variable}\``), variable);
  });

  test("exit-codes names every exit code", () => {
    const text = readTopic("exit-codes");
    const listed = [...text.matchAll(/^- `(\d+)`/gm)].map(([, code]) => Number(code));
    assert.deepEqual(listed, [0, ...Object.values(exitCodes)]);
  });
});

describe("todo version", { concurrency: 2 }, () => {
  test("prints name and version, with --json an object", async () => {
    using home = createHome();
    const { version } = JSON.parse(
      readFileSync(new URL("../package.json", import.meta.url), "utf8"),
    ) as { version: string };
    assert.equal((await home.run(["version"])).stdout, `todo ${version}\n`);
    const { stdout } = await home.run(["version", "--json"]);
    assert.deepEqual(JSON.parse(stdout), { name: "todo", version });
  });
});
