import { notFound } from "../contract/errors.ts";
import * as projects from "../storage/projects.ts";
import * as todos from "../storage/todos.ts";
import type { Caller, Operations } from "./actions.ts";
import { logActivity } from "./activity.ts";
import { type Context, timestamp } from "./context.ts";

const fields = ["name", "description", "color"] as const;

export function createProjects(context: Context): Operations<"projects"> {
  const { db } = context;

  function find(caller: Caller, id: string): projects.Project {
    const project = projects.find(db, caller.owner, id);
    if (project === undefined) throw notFound("Project");
    return project;
  }

  return {
    list: (caller, { query }) => projects.list(db, caller.owner, query),

    get: (caller, { params }) => find(caller, params.id),

    create: (caller, { body }) =>
      db.transaction(() => {
        const id = context.newId();
        projects.insert(db, caller.owner, { ...body, id, now: timestamp(context) });
        logActivity(context, caller, "project", "created", id, { name: body.name });
        return find(caller, id);
      }),

    update: (caller, { params, body }) =>
      db.transaction(() => {
        const project = find(caller, params.id);
        if (fields.every((field) => body[field] === undefined)) return project;
        const { name } = project;
        projects.update(db, caller.owner, params.id, body);
        logActivity(context, caller, "project", "updated", params.id, { name });
        return find(caller, params.id);
      }),

    remove: (caller, { params }) =>
      db.removal(() => {
        const { name } = find(caller, params.id);
        projects.remove(db, caller.owner, params.id);
        todos.leaveProject(db, caller.owner, params.id);
        logActivity(context, caller, "project", "deleted", params.id, { name });
        return null;
      }),
  };
}
