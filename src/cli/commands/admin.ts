import type { Command } from "commander";
import { addExamples } from "../help/examples.ts";
import { addAdminServiceCommand } from "./admin-service.ts";

/** `todo admin`: what whoever runs a server does on its machine. */
export function addAdminCommands(program: Command): void {
  const admin = program
    .command("admin")
    .description("Look after a server, on its machine.")
    .summary("look after a server");
  addExamples(admin, [["todo admin service", "a systemd unit that runs the server"]]);
  addAdminServiceCommand(admin);
}
