import { statuses } from "../../../src/contract/values.ts";

/** A kind of record as the API has it, for writers to whom all kinds are alike. */
export interface Kind {
  path: string;
  /** The fields that hold the record's title, and one of a few values. */
  title: "title" | "name";
  choice: "status" | "schedule" | "color";
  choices: readonly string[];
  /** Whether it has a description, and links to categories. */
  isTask: boolean;
}

export const kinds = {
  todo: { path: "/todos", title: "title", choice: "status", choices: statuses, isTask: true },
  recurring: {
    path: "/recurring-tasks",
    title: "title",
    choice: "schedule",
    choices: ["daily", "weekly", "monthly"],
    isTask: true,
  },
  category: {
    path: "/categories",
    title: "name",
    choice: "color",
    choices: ["#aa0000", "#00aa00", "#0000aa"],
    isTask: false,
  },
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof kinds;

export const kindNames = Object.keys(kinds) as KindName[];
