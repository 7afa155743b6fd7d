import type { Part } from "./part.ts";
import { controls } from "./crash/controls.ts";
import { survey, surveyControls } from "./crash/survey.ts";

const sizes = {
  full: { states: 200_000, small: 2500, large: 700, control: 2000 },
  ci: { states: 20_000, small: 2500, large: 500, control: 700 },
};

/** No power cut loses what was acknowledged, or leaves a part of a transaction. */
export const crash: Part = {
  name: "crash",
  title: "every state of the disk that a kill or a power cut can leave",
  untimed: true,
  async run(size, tell) {
    const { states: wanted, small, large, control } = sizes[size];
    const broken = await surveyControls(
      "crash",
      controls.map(({ name }) => name),
      control,
    );
    const { states, bad, native } = await survey("crash", wanted, { small, large }, tell);
    const atLeast = wanted.toLocaleString("en");
    return [
      {
        what: "unique states recovered by the engine",
        value: states.toLocaleString("en"),
        bar: `at least ${atLeast}`,
        ok: states >= wanted,
      },
      { what: "bad states", value: String(bad), bar: "0", ok: bad === 0 },
      {
        what: `bad states when sqlite3 recovers a sample of ${native.count.toLocaleString("en")}`,
        value: String(native.bad),
        bar: "0",
        ok: native.bad === 0 && native.count > 0,
      },
      ...broken,
    ];
  },
};
