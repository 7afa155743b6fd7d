import type { Command } from "commander";
import { addExamples } from "../help/examples.ts";
import { addAdminKeysCommands } from "./admin-keys.ts";
import { addAdminThemesCommands } from "./admin-themes.ts";
import { addAdminUsersCommands } from "./admin-users.ts";

/** `todo admin …`: what the owner of a data folder can do with it. */
export function addAdminCommands(program: Command): void {
  const admin = program
    .command("admin")
    .description(
      "Administer a data folder on this machine (--data), whether a server runs on it or not. Only the owner of the folder, and root, may.",
    )
    .summary("administer a server's users, keys and themes");
  addExamples(admin, [
    ["todo admin users", "who has an account"],
    ["todo admin users passwd ada@example.org", "set a new password for somebody"],
    ["sudo -u todo todo admin users --data /var/lib/todo", "as the user that the server runs as"],
  ]);
  addAdminUsersCommands(admin);
  addAdminKeysCommands(admin);
  addAdminThemesCommands(admin);
}
