import { model } from "./model.ts";
import type { Part } from "./part.ts";

/** Everything that the proof consists of, in the order in which it runs. */
export const parts: readonly Part[] = [model];
