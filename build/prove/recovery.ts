import type { Part } from "./part.ts";
import { survey } from "./crash/survey.ts";

const sizes = {
  full: { states: 20_000, small: 1500, large: 300 },
  ci: { states: 2000, small: 400, large: 150 },
};

/** A crash while the start after a crash is under way loses nothing either. */
export const recovery: Part = {
  name: "recovery",
  title: "crashes while a crash is recovered from",
  untimed: true,
  async run(size, tell) {
    const { states: wanted, ...limits } = sizes[size];
    const { states, bad } = await survey("recovery", wanted, limits, tell);
    return [
      {
        what: "unique states after a crash during recovery",
        value: states.toLocaleString("en"),
        bar: `at least ${wanted.toLocaleString("en")}`,
        ok: states >= wanted,
      },
      { what: "bad states", value: String(bad), bar: "0", ok: bad === 0 },
    ];
  },
};
