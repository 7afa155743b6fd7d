import envPaths from "env-paths";

/** The data folder of this user, where the platform keeps such things. */
export function dataFolder(): string {
  return envPaths("todo", { suffix: "" }).data;
}
