import type { Argument, Command, Option } from "commander";
import { ancestorsOf } from "../help/layout.ts";
import { schedules, scopes, statuses, weekdays } from "../../contract/values.ts";

/** What the values are that may stand at a place: which records, whose names, or files. */
export type Kind =
  | "todos"
  | "active-todos"
  | "finished-todos"
  | "recurring"
  | "projects"
  | "categories"
  | "themes"
  | "keys"
  | "profiles"
  | "help"
  | "files"
  | "title";

/** What an argument or a flag of this name stands for, in whatever command. */
const kindsByName: Record<string, Kind> = {
  project: "projects",
  category: "categories",
  theme: "themes",
  profile: "profiles",
  title: "title",
  file: "files",
  folder: "files",
};

/** What `<id>`, `<name>` and the like stand for, by the command or the group that it is in. */
const kindsByCommand: Record<string, Kind> = {
  show: "todos",
  edit: "todos",
  start: "active-todos",
  done: "active-todos",
  reopen: "finished-todos",
  archive: "todos",
  remove: "todos",
  recurring: "recurring",
  projects: "projects",
  categories: "categories",
  themes: "themes",
  keys: "keys",
  profiles: "profiles",
  help: "help",
};

/** What an argument stands for; undefined when nobody can know it beforehand. */
export function kindOfArgument(command: Command, argument: Argument): Kind | undefined {
  const name = argument.name();
  // Its records are not those of the caller's account, which completion asks.
  if (ancestorsOf(command).some((each) => each.name() === "admin")) {
    return name === "file" ? "files" : undefined;
  }
  const { parent } = command;
  const group = parent === null || parent.parent === null ? command : parent;
  // What is added has no name yet.
  if (command !== group && command.name() === "add") return undefined;
  return kindsByName[name] ?? kindsByCommand[group.name()];
}

/** What the value of an option stands for; undefined when nobody can know it beforehand. */
export function kindOfOption(option: Option): Kind | undefined {
  const placeholder = /[<[]([\w-]+)/.exec(option.flags)?.[1] ?? "";
  return kindsByName[option.attributeName()] ?? kindsByName[placeholder.toLowerCase()];
}

const values: Record<string, readonly string[]> = {
  status: statuses,
  schedule: schedules,
  scope: scopes,
  scopes,
  days: weekdays,
  due: ["today", "tomorrow", "none"],
};

/** Where a flag of `todo list` asks for more than can be saved. */
const filterValues: Record<string, readonly string[]> = {
  status: [...statuses, "all"],
  due: ["today", "overdue", "week", "none"],
};

/** The values that an option of a command has, where it does not declare them as choices. */
export function staticValues(command: Command, option: string): readonly string[] {
  const table = command.name() === "list" ? { ...values, ...filterValues } : values;
  return Object.hasOwn(table, option) ? table[option]! : [];
}
