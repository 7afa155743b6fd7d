import { ApiError } from "../contract/errors.ts";
import type { LinkedCategory } from "../storage/links.ts";
import * as links from "../storage/links.ts";
import type { Caller } from "./actions.ts";
import type { Context } from "./context.ts";

/**
 * The links of one kind of record to categories.
 *
 * @param noun how the 409 names the record
 * @param seqOf the record's `seq`; throws `not_found` unless it is the caller's
 */
export function createLinks(
  { db }: Context,
  table: links.LinkTable,
  noun: string,
  seqOf: (caller: Caller, id: string) => number,
) {
  return {
    /** Links the category when it is one of the caller's; anything else links nothing. */
    linkOwn(caller: Caller, seq: number, categoryId: string | null | undefined): LinkedCategory[] {
      const linked = links.linkedCategories(db, caller.owner, categoryId ?? null);
      for (const { id } of linked) links.link(db, table, seq, id);
      return linked;
    },

    /** What `category_id` in an update does: all links go, at most one comes. */
    replace(caller: Caller, seq: number, categoryId: string | null): void {
      links.unlinkAll(db, table, seq);
      this.linkOwn(caller, seq, categoryId);
    },

    link: (caller: Caller, input: { params: { id: string }; body: { category_id: string } }) =>
      db.transaction(() => {
        const seq = seqOf(caller, input.params.id);
        if (!links.link(db, table, seq, input.body.category_id)) {
          throw new ApiError("conflict", `Category already linked to this ${noun}`);
        }
        return null;
      }),

    unlink: (caller: Caller, input: { params: { id: string; categoryId: string } }) =>
      db.removal(() => {
        const seq = seqOf(caller, input.params.id);
        links.unlink(db, table, seq, input.params.categoryId);
        return null;
      }),
  };
}
