import { type KeyCall, type Operation, type PageOperation, given, logged, pick } from "./call.ts";
import { check, filters, rules } from "./fields.ts";
import { checkFilters, isSet, toPage } from "./lists.ts";
import { Refusal, notFound } from "./refusal.ts";
import { fold } from "./text.ts";
import type { Category } from "./world.ts";

/** Section 4.4. */

function find({ user, params }: KeyCall): Category {
  const category = user.categories.find(({ id }) => id === params.id);
  if (category === undefined) throw notFound("Category");
  return category;
}

function refuseTaken({ user, body }: KeyCall, but?: Category): void {
  const name = fold(body["name"] as string);
  if (user.categories.some((one) => one !== but && fold(one.name) === name)) {
    throw new Refusal(409, "A category with this name already exists.");
  }
}

export const listCategories: PageOperation = ({ user, query }) => {
  checkFilters(query, { favorite: filters.flag });
  const { favorite } = query;
  const matching = user.categories.filter(
    (one) => favorite === undefined || one.favorite === isSet(favorite),
  );
  return toPage(query, matching, ({ id }) => id, {
    name: ({ name }) => name,
    favorite: (one) => one.favorite,
    created_at: ({ created_at }) => created_at,
  });
};

export const getCategory: Operation = find;

export const createCategory: Operation = (call) => {
  const { user, body, data, generated } = call;
  check(body, rules.category, ["name", "color"]);
  refuseTaken(call);
  const category: Category = {
    id: generated.id(pick(data, "id")),
    user_id: user.profile.id,
    name: body["name"] as string,
    color: body["color"] as string,
    favorite: Boolean(body["favorite"]),
    created_at: generated.now(pick(data, "created_at")),
  };
  user.categories.push(category);
  logged(call, "category", "created", category.id, { name: category.name });
  return category;
};

export const updateCategory: Operation = (call) => {
  const { body } = call;
  const category = find(call);
  check(body, rules.category);
  const changes = given(body, ["name", "color", "favorite"]);
  if (Object.keys(changes).length === 0) throw new Refusal(400, "No valid fields to update");
  if (body["name"] !== undefined) refuseTaken(call, category);
  const { name } = category;
  if ("favorite" in changes) changes.favorite = Boolean(changes.favorite);
  Object.assign(category, changes);
  logged(call, "category", "updated", category.id, { name });
  return category;
};

/** Its links go with it, also those of other users, which nobody saw. */
export const removeCategory: Operation = (call) => {
  const category = find(call);
  call.user.categories = call.user.categories.filter((one) => one !== category);
  for (const { todos, tasks } of call.world.users) {
    for (const { links } of [...todos, ...tasks]) links.delete(category.id);
  }
  logged(call, "category", "deleted", category.id, { name: category.name });
  return null;
};
