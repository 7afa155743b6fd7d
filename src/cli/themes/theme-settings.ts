import type { Model } from "../../contract/schemas.ts";
import { parseAssignments } from "../assignments.ts";
import { parseColor } from "../output/color-names.ts";

type Settings = Model<"UserTheme">["custom_settings"];

/**
 * The settings that are given as `name=text` or `name:=json`.
 *
 * @throws CliError `usage`, InvalidArgumentError for a primary colour that is none
 */
export function readSettings(texts: readonly string[]): Record<string, unknown> {
  const settings = parseAssignments("setting", texts);
  const primary = settings["primary_color"];
  if (typeof primary !== "string" || primary === "none") return settings;
  return { ...settings, primary_color: parseColor(primary) };
}

/** The settings with others on top, of which `none` clears one; null when none are left. */
export function withSettings(settings: Settings, others: Record<string, unknown>): Settings {
  const kept = Object.entries({ ...settings, ...others }).filter(
    ([name, value]) => !(value === "none" && Object.hasOwn(others, name)),
  );
  return kept.length === 0 ? null : Object.fromEntries(kept);
}

/** The settings as they would be given. */
export function formatSettings(settings: Settings): string {
  return Object.entries(settings ?? {})
    .map(([name, value]) =>
      typeof value === "string" ? `${name}=${value}` : `${name}:=${JSON.stringify(value)}`,
    )
    .join("  ");
}
