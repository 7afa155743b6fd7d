import type { Command } from "commander";
import packageJson from "../../../package.json" with { type: "json" };
import type { Flags } from "../flags.ts";
import { addExamples } from "../help/examples.ts";
import { readLicenses } from "../help/licenses.ts";
import { createOutput } from "../output/output.ts";

/** `todo version`: which program this is. */
export function addVersionCommand(program: Command): void {
  const command = program
    .command("version")
    .description("Print the name and the version of this program.")
    .summary("print the version")
    .option("--licenses", "print the licences of all that this program contains instead")
    .action(async ({ licenses = false }: { licenses?: boolean }, self: Command) => {
      const output = createOutput(self.optsWithGlobals<Flags>());
      if (licenses) {
        const text = readLicenses();
        return output.show({ licenses: text }, () => output.line(text.trimEnd()));
      }
      const { name, version } = packageJson;
      await output.show({ name, version }, () => output.line(`${name} ${version}`));
    });
  addExamples(command, [
    ["todo version", "for people"],
    ["todo version --licenses", "the licences of what it contains"],
    ["todo version --json", "for programs: an object with name and version"],
  ]);
}
