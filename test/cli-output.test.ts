import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { styleText } from "node:util";
import { createOutput } from "../src/cli/output/output.ts";
import type { Output } from "../src/cli/output/output.ts";
import { type Column, printTable } from "../src/cli/output/table.ts";
import { printFields } from "../src/cli/output/fields.ts";
import { clip, columnsOf, harmless, harmlessLines, wrap } from "../src/cli/output/text.ts";

const nasty = "\x1b]0;owned\x07 \x9b31m a\tb\nc \u202Edcba\u2066 \x7f";

describe("harmless text", () => {
  test("no control character, escape sequence or change of direction is left", () => {
    // oxlint-disable-next-line no-control-regex -- they are what must not be there
    assert.doesNotMatch(harmless(nasty), /[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/u);
    assert.match(harmless(nasty), /␛\]0;owned␇/u);
    assert.equal(harmlessLines("a\r\nb\x1b[2J\nc"), "a\nb␛[2J\nc");
  });

  test("what is readable stays as it is", () => {
    const text = "Grüße, 日本語, 👩‍👩‍👧 and עברית";
    assert.equal(harmless(text), text);
  });
});

describe("wrapping", () => {
  test("lines break at spaces, and long words where they must", () => {
    assert.deepEqual(wrap("pay the rent", 8), ["pay the", "rent"]);
    assert.deepEqual(wrap("a incomprehensible b", 7), ["a", "incompr", "ehensib", "le b"]);
    assert.deepEqual(wrap("", 5), [""]);
  });

  test("no line is wider than wanted, and no character is torn apart", () => {
    const family = "👩‍👩‍👧";
    for (const text of ["日本語のとても長いタイトル", family.repeat(5), "🫠🫠 สวัสดี นมัสเต"]) {
      const lines = wrap(text, 5);
      assert.ok(
        lines.every((line) => columnsOf(line) <= 5),
        lines.join("|"),
      );
      assert.equal(lines.join("").replaceAll(" ", ""), text.replaceAll(" ", ""));
    }
    assert.deepEqual(wrap(family.repeat(3), 5), [family.repeat(2), family]);
    assert.deepEqual(wrap("日本", 1), ["日", "本"]);
  });

  test("clipped text ends in an ellipsis, within its columns", () => {
    assert.equal(clip("日本語", 4), "日…");
    assert.equal(clip("abc", 3), "abc");
  });
});

/** An output that keeps its lines, as wide as wanted. */
function capture(options: Partial<Output>): { output: Output; lines: string[] } {
  const lines: string[] = [];
  const output = {
    ...createOutput({ json: false, quiet: false, color: false }),
    style: (_: unknown, text: string) => text,
    line: (text: string) => void lines.push(text),
    ...options,
  };
  return { output, lines };
}

interface Row {
  id: string;
  title: string;
  note: string;
}

const columns: Column<Row>[] = [
  { title: "ID", value: ({ id }) => id },
  { title: "Title", value: ({ title }) => title, flexible: true },
  { title: "Note", value: ({ note }) => note, plain: () => "plain", hideBelow: 60 },
];

const rows: Row[] = [
  { id: "1111111", title: "Pay rent", note: "now" },
  { id: "2222222", title: "🫠 日本語 👩‍👩‍👧 สวัสดี ❤️ é", note: "now" },
  { id: "3333333", title: "a long title, ".repeat(20), note: "now" },
  { id: "4444444", title: nasty, note: "now" },
];

describe("tables", () => {
  for (const width of [40, 60, 80, 120, 200]) {
    test(`fit ${width} columns, aligned whatever the titles hold`, async () => {
      const { output, lines } = capture({ isTerminal: true, width });
      await printTable(output, columns, rows);
      assert.ok(
        lines.every((line) => columnsOf(line) <= width),
        lines.join("\n"),
      );
      const notes = lines.filter((line) => line.endsWith("now"));
      const starts = new Set(notes.map((line) => columnsOf(line)));
      assert.equal(notes.length, width < 60 ? 0 : 4);
      assert.equal(starts.size, width < 60 ? 0 : 1, lines.join("\n"));
      // oxlint-disable-next-line no-control-regex -- they are what must not be there
      assert.doesNotMatch(lines.join(""), /[\x00-\x1f\x7f-\x9f\ue000]/u);
    });
  }

  test("fit a narrow terminal also when the columns that give way first are not enough", async () => {
    const row = { when: "Sun 22 Nov 2026 03:22:43", what: "created recurring task", which: "Gym" };
    const wide: Column<typeof row>[] = [
      { title: "When", value: ({ when }) => when },
      { title: "What", value: ({ what }) => what },
      { title: "Which", value: ({ which }) => which, flexible: true },
    ];
    const { output, lines } = capture({ isTerminal: true, width: 40 });
    await printTable(output, wide, [row]);
    assert.ok(
      lines.every((line) => columnsOf(line) <= 40),
      lines.join("\n"),
    );
    const words = Object.values(row).flatMap((text) => text.split(" "));
    assert.ok(words.every((word) => lines.join("\n").includes(word)));
  });

  test("have no boxes, and leave out columns that are empty", async () => {
    const { output, lines } = capture({ isTerminal: true, width: 80 });
    await printTable(output, columns, [{ id: "1111111", title: "Pay rent", note: "" }]);
    assert.deepEqual(lines, ["ID       Title", "1111111  Pay rent"]);
  });

  test("of nothing are nothing", async () => {
    const { output, lines } = capture({ isTerminal: true, width: 80 });
    await printTable(output, columns, []);
    assert.deepEqual(lines, []);
  });

  test("are plain lines of all columns for programs, separated by tabs", async () => {
    const { output, lines } = capture({ isTerminal: false, width: 40 });
    await printTable(output, columns, rows);
    assert.equal(lines[0], "1111111\tPay rent\tplain");
    assert.ok(lines.every((line) => line.split("\t").length === 3));
  });

  test("have styles on each line of a cell", async () => {
    const style = (_: unknown, text: string) => styleText("red", text, { validateStream: false });
    const { output, lines } = capture({ isTerminal: true, width: 40, style });
    const styled: Column<Row>[] = [{ ...columns[1]!, style: () => "red" }];
    await printTable(output, styled, [{ id: "1", title: "word ".repeat(12), note: "" }]);
    assert.deepEqual(
      lines,
      ["Title", "word ".repeat(8).trim(), "word ".repeat(4).trim()].map((text) => style("", text)),
    );
  });
});

describe("fields", () => {
  test("keep lines and wrap in a terminal, and are one line each for programs", () => {
    const fields = [["Description", "one\ntwo \x1b[2J"] as const];
    const person = capture({ isTerminal: true, width: 80 });
    printFields(person.output, fields);
    assert.equal(person.lines.join("\n"), "Description  one\n             two ␛[2J");
    const program = capture({ isTerminal: false });
    printFields(program.output, fields);
    assert.deepEqual(program.lines, ["Description\tone two ␛[2J"]);
  });
});
