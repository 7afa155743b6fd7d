import type { Command } from "commander";
import { addAddCommand } from "./add-todo.ts";
import { addChangeCommands } from "./change-todos.ts";
import { addListCommand } from "./list-todos.ts";
import { addRemoveCommand } from "./remove-todos.ts";
import { addShowCommand } from "./show-todo.ts";

/** `todo add`, `todo list`, …: everything about todos. */
export function addTodoCommands(program: Command): void {
  addAddCommand(program);
  addListCommand(program);
  addShowCommand(program);
  addChangeCommands(program);
  addRemoveCommand(program);
}
