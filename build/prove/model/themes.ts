import { type KeyCall, type Operation, type PublicOperation, given, pick } from "./call.ts";
import { check, rules } from "./fields.ts";
import { notFound } from "./refusal.ts";
import type { JsonObject, UserTheme } from "./world.ts";

/** Sections 4.3 and 4.9. */

export const listCatalogue: PublicOperation = ({ world }) => world.themes;

export const getCatalogue: PublicOperation = ({ world, params }) => {
  const theme = world.themes.find(({ id }) => id === params.id);
  if (theme === undefined) throw notFound("Theme");
  return theme;
};

function find({ user, params }: KeyCall): UserTheme {
  const theme = user.installed.find(({ id }) => id === params.id);
  if (theme === undefined) throw notFound("Theme");
  return theme;
}

function change(theme: UserTheme, body: JsonObject): UserTheme {
  const changes = given(body, ["is_active", "custom_settings"]);
  if ("is_active" in changes) changes.is_active = Boolean(changes.is_active);
  return Object.assign(theme, changes);
}

export const listInstalled: Operation = ({ user }) => user.installed.toReversed();

/** Installing again updates the existing installation. */
export const install: Operation = ({ world, user, body, data, generated }) => {
  check(body, rules.installation, ["theme_id"]);
  const theme_id = (body["theme_id"] as string).toLowerCase();
  if (!world.themes.some(({ id }) => id === theme_id)) throw notFound("Theme");
  const existing = user.installed.find((one) => one.theme_id === theme_id);
  if (existing !== undefined) return change(existing, body);
  const theme: UserTheme = {
    id: generated.id(pick(data, "id")),
    user_id: user.profile.id,
    theme_id,
    is_active: Boolean(body["is_active"]),
    custom_settings: (body["custom_settings"] ?? null) as JsonObject | null,
    created_at: generated.now(pick(data, "created_at")),
  };
  user.installed.push(theme);
  return theme;
};

export const updateInstalled: Operation = (call) => {
  const theme = find(call);
  check(call.body, rules.theme);
  return change(theme, call.body);
};

export const uninstall: Operation = (call) => {
  const theme = find(call);
  call.user.installed = call.user.installed.filter((one) => one !== theme);
  return null;
};
