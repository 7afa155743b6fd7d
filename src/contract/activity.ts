import { type } from "./arktype.ts";
import { JsonObjectOrNull, Text, Timestamp, Uuid, UuidOrNull } from "./fields.ts";
import { lazy } from "./lazy.ts";

export { LogQuery } from "./query.ts";

export const ActivityLogEntry = lazy(() =>
  type({
    id: Uuid,
    user_id: UuidOrNull,
    action: Text,
    entity_type: Text,
    entity_id: UuidOrNull,
    details: JsonObjectOrNull,
    ip_address: Text,
    user_agent: Text,
    created_at: Timestamp,
  }),
);
