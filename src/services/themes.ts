import { notFound } from "../contract/errors.ts";
import * as themes from "../storage/themes.ts";
import * as userThemes from "../storage/user-themes.ts";
import type { Caller, Operations } from "./actions.ts";
import { type Context, timestamp } from "./context.ts";

/** The public catalogue. */
export function createCatalogue({ db }: Context): Operations<"catalogue"> {
  return {
    list: () => themes.listPublished(db),

    get(_client, { params }) {
      const theme = themes.findPublished(db, params.id);
      if (theme === undefined) throw notFound("Theme");
      return theme;
    },
  };
}

/** The themes that a user has installed. */
export function createUserThemes(context: Context) {
  const { db } = context;

  function find(caller: Caller, id: string): userThemes.UserTheme {
    const theme = userThemes.find(db, caller.owner, id);
    if (theme === undefined) throw notFound("Theme");
    return theme;
  }

  return {
    /** @throws ApiError `not_found` unless the installation is the caller's */
    find,

    list: (caller) => userThemes.list(db, caller.owner),

    create: (caller, { body }) =>
      db.transaction(() => {
        if (themes.findPublished(db, body.theme_id) === undefined) throw notFound("Theme");
        const installed = userThemes.findByTheme(db, caller.owner, body.theme_id);
        const id = installed?.id ?? context.newId();
        if (installed === undefined) {
          userThemes.insert(db, caller.owner, { ...body, id, now: timestamp(context) });
        } else {
          userThemes.update(db, caller.owner, id, body);
        }
        return find(caller, id);
      }),

    update: (caller, { params, body }) =>
      db.transaction(() => {
        find(caller, params.id);
        userThemes.update(db, caller.owner, params.id, body);
        return find(caller, params.id);
      }),

    remove: (caller, { params }) =>
      db.removal(() => {
        if (!userThemes.remove(db, caller.owner, params.id)) throw notFound("Theme");
        return null;
      }),
  } satisfies Operations<"userThemes"> & { find: unknown };
}
