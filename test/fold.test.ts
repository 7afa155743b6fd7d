import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fold } from "../src/storage/fold.ts";

describe("folded text", () => {
  for (const [one, other] of [
    ["Milk", "mILK"],
    ["Straße", "STRASSE"],
    ["Straße", "STRAẞE"],
    ["ΟΔΟΣ", "οδος"],
    ["Éclair", "éCLAIR"],
    ["ДЕЛО", "дело"],
  ] as const) {
    test(`is equal for ${one} and ${other}`, () => assert.equal(fold(one), fold(other)));
  }

  for (const [one, other] of [
    ["kıl", "kil"],
    ["a", "á"],
    ["o", "0"],
  ] as const) {
    test(`tells ${one} from ${other}`, () => assert.notEqual(fold(one), fold(other)));
  }
});
