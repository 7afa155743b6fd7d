import type { Command } from "commander";
import packageJson from "../../../package.json" with { type: "json" };
import type { Flags } from "../flags.ts";
import { addExamples } from "../help/examples.ts";
import { createOutput } from "../output/output.ts";

/** `todo version`: which program this is. */
export function addVersionCommand(program: Command): void {
  const command = program
    .command("version")
    .description("Print the name and the version of this program.")
    .summary("print the version")
    .action(async (_options: unknown, self: Command) => {
      const output = createOutput(self.optsWithGlobals<Flags>());
      const { name, version } = packageJson;
      await output.show({ name, version }, () => output.line(`${name} ${version}`));
    });
  addExamples(command, [
    ["todo version", "for people"],
    ["todo version --json", "for programs: an object with name and version"],
  ]);
}
