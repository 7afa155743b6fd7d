import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { root } from "./project.ts";

/** A package that the executable contains. */
export interface Licensed {
  name: string;
  version: string;
  /** The licence's name, as SPDX abbreviates it. */
  license: string;
  /** Its text. */
  text: string;
}

/**
 * The licences of all packages that files of a bundle are from, in the order of their names.
 *
 * @param inputs files, relative to the project
 * @throws Error when a package comes without the text of its licence: then it may not be passed on
 */
export function collectLicenses(inputs: readonly string[]): Licensed[] {
  const folders = new Set(inputs.flatMap((file) => packageFolder(file) ?? []));
  return [...folders].map(readLicense).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** The folder of the package that a file is a part of. */
function packageFolder(file: string): string | undefined {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0];
}

function readLicense(folder: string): Licensed {
  const { name, version, license } = JSON.parse(
    readFileSync(path.join(root, folder, "package.json"), "utf8"),
  ) as Omit<Licensed, "text">;
  const file = readdirSync(path.join(root, folder))
    .toSorted()
    .find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined) throw new Error(`${name} has no file with its licence (${license}).`);
  const text = readFileSync(path.join(root, folder, file), "utf8");
  return { name, version, license, text: text.replaceAll("\r\n", "\n").trim() };
}

/** All licences as one text, for people. */
export function formatLicenses(licenses: readonly Licensed[], nodeLicense: string): string {
  const parts = licenses.map(
    ({ name, version, license, text }) =>
      `${title(`${name} ${version} (${license})`)}\n\n${text}\n`,
  );
  const introduction = `This program contains Node.js and ${licenses.length} packages, under these licences.\n`;
  return [introduction, ...parts, `${title("Node.js")}\n\n${nodeLicense.trim()}\n`].join("\n");
}

function title(text: string): string {
  return `${"=".repeat(80)}\n${text}\n${"=".repeat(80)}`;
}
