import type { AdminServices, Caller, Services } from "./actions.ts";
import { createActivity } from "./activity.ts";
import { createAdminKeys } from "./admin-keys.ts";
import { createAdminThemes } from "./admin-themes.ts";
import { type AdminContext, createAdminUsers } from "./admin-users.ts";
import { type AuthContext, createAuth } from "./auth.ts";
import { createCategories } from "./categories.ts";
import { createKeys } from "./keys.ts";
import { createProfile } from "./profile.ts";
import { createProjects } from "./projects.ts";
import { createRecurring } from "./recurring.ts";
import { createCatalogue, createUserThemes } from "./themes.ts";
import { createTodos } from "./todos.ts";

/** Makes sure that a record exists and is the caller's; throws ApiError `not_found`. */
export type Subjects = Record<string, (caller: Caller, id: string) => unknown>;

/** Every operation of the contract, and the records that its paths name. */
export function createServices(context: AuthContext): { services: Services; subjects: Subjects } {
  const userThemes = createUserThemes(context);
  const services = {
    auth: createAuth(context),
    profile: createProfile(context),
    keys: createKeys(context),
    catalogue: createCatalogue(context),
    categories: createCategories(context),
    projects: createProjects(context),
    todos: createTodos(context),
    recurring: createRecurring(context),
    activity: createActivity(context),
    userThemes,
  } satisfies Services;

  const named = (id: string) => ({ params: { id }, query: undefined, body: undefined });
  const subjects: Subjects = {
    categories: (caller, id) => services.categories.get(caller, named(id)),
    projects: (caller, id) => services.projects.get(caller, named(id)),
    todos: (caller, id) => services.todos.get(caller, named(id)),
    recurring: (caller, id) => services.recurring.get(caller, named(id)),
    userThemes: userThemes.find,
  };
  return { services, subjects };
}

/** Every operation of the administration. */
export function createAdminServices(context: AdminContext): AdminServices {
  return {
    users: createAdminUsers(context),
    keys: createAdminKeys(context),
    themes: createAdminThemes(context),
  };
}
