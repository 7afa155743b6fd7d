import type { KeyCall } from "./call.ts";
import { check, rules } from "./fields.ts";
import { Refusal } from "./refusal.ts";
import { compareText } from "./text.ts";
import type { User } from "./world.ts";

/** How todos and recurring tasks are linked to categories (sections 4.6 and 4.7). */

interface Linked {
  links: Set<string>;
}

/** The linked categories as answers show them: only the user's own, by name. */
export function categoriesOf({ categories }: User, { links }: Linked) {
  return categories
    .filter(({ id }) => links.has(id))
    .toSorted((a, b) => compareText(a.name, b.name))
    .map(({ id, name, color }) => ({ id, name, color }));
}

/** Links the category when it is one of the caller's; anything else links nothing. */
export function linkOwn({ user, body }: KeyCall, { links }: Linked): void {
  const id = body["category_id"];
  const own = user.categories.find((one) => typeof id === "string" && one.id === id.toLowerCase());
  if (own !== undefined) links.add(own.id);
}

/** An update that names `category_id`, whatever its value, begins with removing all links. */
export function replaceLinks(call: KeyCall, record: Linked): void {
  if (call.body["category_id"] === undefined) return;
  record.links.clear();
  linkOwn(call, record);
}

/** The link endpoints: the category itself is not checked. */
export function link(call: KeyCall, { links }: Linked, noun: string): null {
  check(call.body, rules.link, ["category_id"]);
  const id = (call.body["category_id"] as string).toLowerCase();
  if (links.has(id)) throw new Refusal(409, `Category already linked to this ${noun}`);
  links.add(id);
  return null;
}

export function unlink({ params }: KeyCall, { links }: Linked): null {
  links.delete(params.categoryId);
  return null;
}
