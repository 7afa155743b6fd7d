import * as accounts from "./accounts.ts";
import * as activity from "./activity.ts";
import type { Operation, PageOperation, PublicOperation } from "./call.ts";
import * as categories from "./categories.ts";
import * as projects from "./projects.ts";
import * as tasks from "./tasks.ts";
import * as themes from "./themes.ts";
import * as todos from "./todos.ts";

/** Section 4 as the model knows it: written down again, so that it does not follow the code. */
export type ModelRoute = { method: string; path: string; status: number; message: string } & (
  | { auth: "public"; run: PublicOperation }
  | { auth: "bearer"; run: typeof accounts.jwtRefresh }
  | { auth: "key"; run: Operation; runPage?: never }
  | { auth: "key"; runPage: PageOperation; run?: never }
);

function open(start: string, status: number, message: string, run: PublicOperation): ModelRoute {
  const [method = "", path = ""] = start.split(" ");
  return { method, path, status, message: `${message} successfully`, auth: "public", run };
}

function keyed(start: string, status: number, message: string, run: Operation): ModelRoute {
  const [method = "", path = ""] = start.split(" ");
  return { method, path, status, message: `${message} successfully`, auth: "key", run };
}

function paged(path: string, message: string, runPage: PageOperation): ModelRoute {
  const status = 200;
  return { method: "GET", path, status, message: `${message} successfully`, auth: "key", runPage };
}

function login(path: string, run: PublicOperation): ModelRoute {
  return { method: "POST", path, status: 200, message: "Login successful", auth: "public", run };
}

const todo = "/todos/{id}";
const task = "/recurring-tasks/{id}";

export const modelRoutes: readonly ModelRoute[] = [
  open("POST /auth/register", 201, "User registered", accounts.register),
  login("/auth/login", accounts.login),
  open("POST /auth/api-key", 200, "API key created", accounts.keyByPassword),
  open("POST /auth/jwt/register", 201, "User registered", accounts.jwtRegister),
  login("/auth/jwt/login", accounts.jwtLogin),
  {
    method: "POST",
    path: "/auth/jwt/refresh",
    status: 200,
    message: "Token refreshed successfully",
    auth: "bearer",
    run: accounts.jwtRefresh,
  },

  keyed("GET /user/profile", 200, "Profile retrieved", accounts.getProfile),
  keyed("PUT /user/profile", 200, "Profile updated", accounts.updateProfile),
  keyed("GET /user/api-keys", 200, "API keys retrieved", accounts.listKeys),
  keyed("POST /user/api-keys", 200, "API key created", accounts.createKey),
  keyed("DELETE /user/api-keys/{id}", 200, "API key revoked", accounts.removeKey),

  open("GET /marketplace/themes", 200, "Themes retrieved", themes.listCatalogue),
  open("GET /marketplace/themes/{id}", 200, "Theme retrieved", themes.getCatalogue),

  paged("/categories", "Categories retrieved", categories.listCategories),
  keyed("POST /categories", 201, "Category created", categories.createCategory),
  keyed("GET /categories/{id}", 200, "Category retrieved", categories.getCategory),
  keyed("PUT /categories/{id}", 200, "Category updated", categories.updateCategory),
  keyed("DELETE /categories/{id}", 200, "Category deleted", categories.removeCategory),

  paged("/projects", "Projects retrieved", projects.listProjects),
  keyed("POST /projects", 201, "Project created", projects.createProject),
  keyed("GET /projects/{id}", 200, "Project retrieved", projects.getProject),
  keyed("PUT /projects/{id}", 200, "Project updated", projects.updateProject),
  keyed("DELETE /projects/{id}", 200, "Project deleted", projects.removeProject),

  paged("/todos", "Todos retrieved", todos.listTodos),
  keyed("POST /todos", 201, "Todo created", todos.createTodo),
  keyed(`GET ${todo}`, 200, "Todo retrieved", todos.getTodo),
  keyed(`PUT ${todo}`, 200, "Todo updated", todos.updateTodo),
  keyed(`DELETE ${todo}`, 200, "Todo deleted", todos.removeTodo),
  keyed(`POST ${todo}/categories`, 201, "Category linked", todos.linkTodo),
  keyed(`DELETE ${todo}/categories/{categoryId}`, 200, "Category unlinked", todos.unlinkTodo),

  paged("/recurring-tasks", "Recurring tasks retrieved", tasks.listTasks),
  keyed("POST /recurring-tasks", 201, "Recurring task created", tasks.createTask),
  keyed(`GET ${task}`, 200, "Recurring task retrieved", tasks.getTask),
  keyed(`PUT ${task}`, 200, "Recurring task updated", tasks.updateTask),
  keyed(`DELETE ${task}`, 200, "Recurring task deleted", tasks.removeTask),
  keyed(`POST ${task}/categories`, 201, "Category linked", tasks.linkTask),
  keyed(`DELETE ${task}/categories/{categoryId}`, 200, "Category unlinked", tasks.unlinkTask),

  keyed("GET /activity-logs", 200, "Activity logs retrieved", activity.listActivity),
  keyed("GET /activity-logs/{id}", 200, "Activity log retrieved", activity.getActivity),

  keyed("GET /user/themes", 200, "Themes retrieved", themes.listInstalled),
  keyed("POST /user/themes", 201, "Theme installed", themes.install),
  keyed("PUT /user/themes/{id}", 200, "Theme updated", themes.updateInstalled),
  keyed("DELETE /user/themes/{id}", 200, "Theme uninstalled", themes.uninstall),
];
