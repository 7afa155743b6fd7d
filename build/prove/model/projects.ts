import { type KeyCall, type Operation, type PageOperation, given, logged, pick } from "./call.ts";
import { check, rules } from "./fields.ts";
import { checkFilters, toPage } from "./lists.ts";
import { notFound } from "./refusal.ts";
import type { Project } from "./world.ts";

/** Section 4.5. */

function find({ user, params }: KeyCall): Project {
  const project = user.projects.find(({ id }) => id === params.id);
  if (project === undefined) throw notFound("Project");
  return project;
}

export const listProjects: PageOperation = ({ user, query }) => {
  checkFilters(query, {});
  return toPage(query, user.projects, ({ id }) => id, {
    name: ({ name }) => name,
    created_at: ({ created_at }) => created_at,
  });
};

export const getProject: Operation = find;

export const createProject: Operation = (call) => {
  const { user, body, data, generated } = call;
  check(body, rules.project, ["name"]);
  const project: Project = {
    id: generated.id(pick(data, "id")),
    user_id: user.profile.id,
    name: body["name"] as string,
    description: (body["description"] ?? null) as string | null,
    color: (body["color"] ?? "#8B5CF6") as string,
    created_at: generated.now(pick(data, "created_at")),
  };
  user.projects.push(project);
  logged(call, "project", "created", project.id, { name: project.name });
  return project;
};

export const updateProject: Operation = (call) => {
  const project = find(call);
  check(call.body, rules.project);
  const changes = given(call.body, ["name", "description", "color"]);
  if (Object.keys(changes).length === 0) return project;
  const { name } = project;
  Object.assign(project, changes);
  logged(call, "project", "updated", project.id, { name });
  return project;
};

/** Its todos stay, without a project. */
export const removeProject: Operation = (call) => {
  const { user } = call;
  const project = find(call);
  user.projects = user.projects.filter((one) => one !== project);
  for (const { fields } of user.todos) {
    if (fields.project_id === project.id) fields.project_id = null;
  }
  logged(call, "project", "deleted", project.id, { name: project.name });
  return null;
};
