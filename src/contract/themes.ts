import { type } from "./arktype.ts";
import {
  Decimal,
  Flag,
  JsonObjectOrNull,
  Name,
  Text,
  TextOrNull,
  Timestamp,
  Truthy,
  UriOrNull,
  Uuid,
  UuidGiven,
} from "./fields.ts";
import { lazy } from "./lazy.ts";

export const Theme = lazy(() =>
  type({
    id: Uuid,
    name: Name,
    display_name: Name,
    description: TextOrNull,
    author: TextOrNull,
    version: Text,
    thumbnail_url: UriOrNull,
    price: Decimal,
    is_free: Flag,
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
);

export const UserTheme = lazy(() =>
  type({
    id: Uuid,
    user_id: Uuid,
    theme_id: Uuid,
    is_active: Flag,
    custom_settings: JsonObjectOrNull,
    created_at: Timestamp,
  }),
);

// No defaults here: installing a theme again changes only the given fields.
export const NewUserTheme = lazy(() =>
  type({
    theme_id: UuidGiven,
    "is_active?": Truthy,
    "custom_settings?": JsonObjectOrNull,
  }),
);

export const UserThemeChanges = lazy(() =>
  type({
    "is_active?": Truthy,
    "custom_settings?": JsonObjectOrNull,
  }),
);
