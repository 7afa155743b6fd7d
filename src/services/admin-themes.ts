import { ApiError, notFound } from "../contract/errors.ts";
import * as adminThemes from "../storage/admin-themes.ts";
import type { AdminOperations } from "./actions.ts";
import { type Context, timestamp } from "./context.ts";

/** What an operator does with the catalogue of themes. */
export function createAdminThemes(context: Context): AdminOperations<"themes"> {
  const { db } = context;
  return {
    list: () => adminThemes.list(db),

    create: (_operator, { body }) =>
      db.transaction(() => {
        if (adminThemes.findByName(db, body.name) !== undefined) {
          throw new ApiError(
            "conflict",
            `There is a theme "${body.name}" in the catalogue already.`,
          );
        }
        adminThemes.insert(db, {
          id: context.newId(),
          name: body.name,
          display_name: body.display_name,
          description: body.description ?? null,
          author: body.author ?? null,
          version: body.version ?? "1.0.0",
          thumbnail_url: body.thumbnail_url ?? null,
          price: body.price ?? 0,
          isPublished: body.is_published ?? true,
          palette: body.palette ?? {},
          now: timestamp(context),
        });
        return adminThemes.findByName(db, body.name)!;
      }),

    remove: (_operator, { params }) =>
      db.transaction(() => {
        // Installations stay: their users see that the theme is no longer published.
        if (!adminThemes.remove(db, params.id)) throw notFound("Theme");
        return null;
      }),
  };
}
