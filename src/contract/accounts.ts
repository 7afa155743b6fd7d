import { type } from "./arktype.ts";
import {
  Email,
  Flag,
  JsonObjectOrNull,
  Label,
  LegacyPassword,
  LoginEmail,
  LoginPassword,
  Name,
  NewPassword,
  Text,
  Timestamp,
  TimestampGiven,
  TimestampOrNull,
  UriOrNull,
  Uuid,
  setOf,
} from "./fields.ts";
import { scopes } from "./values.ts";
import { lazy } from "./lazy.ts";

const Scopes = setOf(scopes, 0);
const ScopesGiven = setOf(scopes, 1);

export const User = lazy(() =>
  type({
    id: Uuid,
    email: Email,
    name: Name,
    avatar_url: UriOrNull,
    settings: JsonObjectOrNull,
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
);

export const UserSummary = lazy(() => type({ id: Uuid, email: Email, name: Name }));

export const Registration = lazy(() =>
  type({
    email: Email,
    password: NewPassword,
    name: Name,
    "avatar_url?": UriOrNull,
    "settings?": JsonObjectOrNull,
  }),
);

export const Credentials = lazy(() => type({ email: LoginEmail, password: LoginPassword }));

export const ApiKeyRequest = lazy(() =>
  type({
    email: LoginEmail,
    password: LegacyPassword,
    "name?": Label,
    "scopes?": ScopesGiven,
    "expires_at?": TimestampGiven,
  }),
);

export const Registered = lazy(() => type({ user: User, api_key: Text, key_prefix: Text }));
export const LoggedIn = lazy(() =>
  type({
    user: UserSummary,
    "api_key?": Text,
    "api_key_prefix?": Text,
  }),
);
export const RegisteredWithToken = lazy(() => type({ user: User, token: Text, api_key: Text }));
export const LoggedInWithToken = lazy(() => type({ user: UserSummary, token: Text }));
export const Token = lazy(() => type({ token: Text }));

export const ProfileChanges = lazy(() =>
  type({
    "name?": Name,
    "avatar_url?": UriOrNull,
    "settings?": JsonObjectOrNull,
  }),
);

export const NewApiKey = lazy(() =>
  type({
    "name?": Label,
    "scopes?": ScopesGiven,
    "expires_at?": TimestampGiven,
  }),
);

export const CreatedApiKey = lazy(() =>
  type({
    id: Uuid,
    key: Text,
    prefix: Text,
    name: Label,
    scopes: Scopes,
    expires_at: TimestampOrNull,
  }),
);

export const ApiKey = lazy(() =>
  type({
    id: Uuid,
    key_prefix: Text,
    name: Label,
    scopes: Scopes,
    is_active: Flag,
    last_used_at: TimestampOrNull,
    created_at: Timestamp,
  }),
);
