import { statuses } from "../../../src/contract/values.ts";
import type { History } from "./register.ts";

/** What a slot can hold: nothing, or the todo of one of its lives. */
export interface Value {
  /** How many writes there were before, and this one. */
  version: number;
  /** How many todos have been in the slot; each has an id of its own. */
  life: number;
  isThere: boolean;
}

/** A place for one todo, which one client makes, changes and deletes, and all clients read. */
export interface Slot {
  readonly number: number;
  readonly history: History<Value>;
  /** What it held when its writer was last answered. */
  value: Value;
  /** Of the todo that is there, as far as is known. */
  id: string | undefined;
}

/** The fields in which a todo shows the version. They must agree, else half of a write was seen. */
export interface Fields {
  title: string;
  description: string;
  status: string;
}

export function createSlot(number: number): Slot {
  const value = { version: 0, life: 0, isThere: false };
  return { number, history: { initial: value, writes: [], reads: [] }, value, id: undefined };
}

/** What the slot holds after its writer's next write. */
export function nextValue({ value: { version, life, isThere } }: Slot): Value {
  const next = { version: version + 1, life, isThere: true };
  if (!isThere) return { ...next, life: life + 1 };
  return { ...next, isThere: Math.random() > 0.15 };
}

export function toFields({ number }: Slot, { version }: Value): Fields {
  const title = `${number}.${version}`;
  return { title, description: title.repeat(version % 50), status: statuses[version % 4]! };
}

/** Whether a todo is exactly what the slot holds; nothing is, when there is none. */
export function isShown(slot: Slot, value: Value, todo: Fields | undefined): boolean {
  if (todo === undefined || !value.isThere) return todo === undefined && !value.isThere;
  const { title, description, status } = toFields(slot, value);
  return todo.title === title && todo.description === description && todo.status === status;
}

/** The number of the slot that a todo is in, and that of its version. */
export function parseTitle(title: string): [slot: number, version: number] {
  const [slot, version] = title.split(".");
  return [Number(slot), Number(version)];
}
