import { schema } from "./001-schema.ts";
import { themes } from "./002-themes.ts";
import type { Migration } from "./migration.ts";

/** Every step of the schema, in order. Imported statically, so that bundles behave like the source. */
export const migrations: readonly Migration[] = [schema, themes];
