import { ApiKey } from "./accounts.ts";
import { type } from "./arktype.ts";
import { field } from "./field.ts";
import {
  Color,
  Email,
  Flag,
  Name,
  NewPassword,
  Text,
  TextOrNull,
  Timestamp,
  TimestampOrNull,
  Truthy,
  UriOrNull,
  Uuid,
} from "./fields.ts";
import { limits } from "./limits.ts";
import { UuidFilter } from "./query.ts";
import { isUuidPrefix } from "./text.ts";
import { Theme } from "./themes.ts";
import { paletteColors } from "./values.ts";
import { lazy } from "./lazy.ts";

/** The shapes of the administration, for the routes in `admin-routes.ts`. */

const Count = field<number>({ type: "integer", minimum: 0 }, (value) =>
  Number.isInteger(value) ? undefined : "a whole number",
);

// --- users

export const AdminUser = lazy(() =>
  type({
    id: Uuid,
    email: Email,
    name: Name,
    created_at: Timestamp,
    todos: Count,
    /** Keys that work. */
    keys: Count,
  }),
);

/** How an operator names a user: by e-mail, or by the start of an id. */
const UserFilter = field<string>({ type: "string" }, (value) => {
  const text = String(value);
  const isId = text.length >= limits.idPrefixMin && isUuidPrefix(text);
  return isId || text.includes("@")
    ? undefined
    : `an e-mail address, or the first ${limits.idPrefixMin} or more characters of an id`;
});

export const AdminUserQuery = lazy(() => type({ "user?": UserFilter }));

export const NewAdminUser = lazy(() => type({ email: Email, name: Name, password: NewPassword }));

export const PasswordChange = lazy(() => type({ password: NewPassword, "revoke_keys?": Truthy }));

export const PasswordChanged = lazy(() => type({ revoked_keys: Count }));

// --- keys

export const AdminKey = lazy(() =>
  type({
    "...": ApiKey,
    expires_at: TimestampOrNull,
    user_id: Uuid,
    email: Email,
  }),
);

export const AdminKeyQuery = lazy(() => type({ "user_id?": UuidFilter }));

// --- themes

export const AdminTheme = lazy(() =>
  type({ "...": Theme, is_published: Flag, installations: Count }),
);

const ThemeName = field<string>(
  { type: "string", pattern: "^[a-z0-9]+(-[a-z0-9]+)*$", maxLength: limits.name },
  (value) =>
    typeof value === "string" &&
    value.length <= limits.name &&
    /^[a-z0-9]+(-[a-z0-9]+)*$/.test(value) &&
    // `todo themes use none` uses none.
    value !== "none"
      ? undefined
      : "lower-case letters and digits in words joined by hyphens, such as solarized-dark, and not none",
);

const Price = field<number>({ type: "number", minimum: 0 }, (value) =>
  Number.isFinite(value) && (value as number) >= 0 ? undefined : "a number, 0 or more",
);

type PaletteGiven = Record<(typeof paletteColors)[number], string>;

const Palette = field<PaletteGiven>({ type: "object" }, (value) =>
  typeof value === "object" &&
  value !== null &&
  paletteColors.every((name) => Color.allows((value as Partial<PaletteGiven>)[name]))
    ? undefined
    : `an object with ${paletteColors.join(", ")}, each # followed by six hex digits`,
);

export const NewTheme = lazy(() =>
  type({
    name: ThemeName,
    display_name: Name,
    "description?": TextOrNull,
    "author?": TextOrNull,
    "version?": Text,
    "thumbnail_url?": UriOrNull,
    "price?": Price,
    "is_published?": Flag,
    "palette?": Palette,
  }),
);
