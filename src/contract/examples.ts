import type { models } from "./schemas.ts";

/** One realistic value of every model: they belong to one user, so that they fit together. */

const user = {
  id: "5f0c1d2e-8a44-4b0f-9d5c-2f6b1f0f7a10",
  email: "ada@example.org",
  name: "Ada Lovelace",
};
const key = "todo_4fQ9sZ1cVb7Kx2Lr8TnWq0JmYh5GpEd31AbC9x";
const keyPrefix = "todo_4fQ9sZ1";
const token =
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI1ZjBjMWQyZS04YTQ0LTRiMGYtOWQ1Yy0yZjZiMWYwZjdhMTAifQ.c2lnbmF0dXJl";
const password = "correct horse battery";
const created_at = "2026-11-20 09:30:00";
const updated_at = "2026-11-21 17:05:12";

const account = {
  ...user,
  avatar_url: "https://example.org/ada.png",
  settings: { theme: "light", language: "en" },
  created_at,
  updated_at,
};
const category = {
  id: "c2a4f1de-6a0b-4a57-8f0e-7d6f3e1b9c01",
  user_id: user.id,
  name: "Errands",
  color: "#F59E0B",
  favorite: true,
  created_at,
};
const linked = [{ id: category.id, name: category.name, color: category.color }];
const project = {
  id: "9b1d7e3c-44f2-4c8e-b7a9-3a5c0d2e8f02",
  user_id: user.id,
  name: "Winter holidays",
  description: "Everything to be done before we leave",
  color: "#8B5CF6",
  created_at,
};
const todo = {
  id: "1e7c9a52-3b6d-4f18-a2c4-6d8e0f1a2b03",
  user_id: user.id,
  title: "Buy train tickets",
  description: "Two seats by the window",
  status: "open",
  due_date: "2026-12-18",
  due_time: "18:00:00",
  sync_enabled: true,
  reminder_enabled: true,
  recurring_enabled: false,
  project_id: project.id,
  created_at,
  updated_at,
  categories: linked,
};
const recurringTask = {
  id: "7a3e5c1b-0d92-4e64-8b1f-5c7d9e0f1a04",
  user_id: user.id,
  title: "Water the plants",
  description: null,
  schedule: "custom",
  custom_days: ["mon", "thu"],
  favorite: false,
  created_at,
  updated_at,
  categories: linked,
};
const theme = {
  id: "52a52b87-12cf-48c3-81bc-5f856e2bc008",
  name: "nord",
  display_name: "Nord",
  description: "Cool and quiet arctic blues.",
  author: "Sven Greb",
  version: "1.0.0",
  thumbnail_url: null,
  price: 0,
  is_free: true,
  created_at: "2026-11-20 00:00:00",
  updated_at: "2026-11-20 00:00:00",
};
const customSettings = { primary_color: "#88C0D0", font_size: "14px" };
const keyRequest = { name: "Laptop", scopes: ["read"], expires_at: "2027-01-01 00:00:00" };
const keyId = "3d5f7a9b-1c2e-4d60-9f8a-0b1c2d3e4f05";

export const examples = {
  User: account,
  UserSummary: user,
  Registration: { email: user.email, password, name: user.name, settings: account.settings },
  Credentials: { email: user.email, password },
  ApiKeyRequest: { email: user.email, password, ...keyRequest },
  Registered: { user: account, api_key: key, key_prefix: keyPrefix },
  LoggedIn: { user, api_key_prefix: keyPrefix },
  RegisteredWithToken: { user: account, token, api_key: key },
  LoggedInWithToken: { user, token },
  Token: { token },
  ProfileChanges: { name: "Ada King", avatar_url: null },
  NewApiKey: keyRequest,
  CreatedApiKey: { id: keyId, key, prefix: keyPrefix, ...keyRequest },
  ApiKey: {
    id: keyId,
    key_prefix: keyPrefix,
    name: keyRequest.name,
    scopes: keyRequest.scopes,
    is_active: true,
    last_used_at: updated_at,
    created_at,
  },
  ActivityLogEntry: {
    id: "b8d0f2a4-6c8e-4a13-9b5d-7f9a1c3e5d06",
    user_id: user.id,
    action: "todo_created",
    entity_type: "todo",
    entity_id: todo.id,
    details: { title: todo.title },
    ip_address: "192.0.2.7",
    user_agent: "todo/1.0.0",
    created_at,
  },
  Category: category,
  LinkedCategory: linked[0]!,
  NewCategory: { name: category.name, color: category.color, favorite: true },
  CategoryChanges: { color: "#10B981" },
  CategoryLink: { category_id: category.id },
  Project: project,
  NewProject: { name: project.name, description: project.description },
  ProjectChanges: { description: null },
  Todo: todo,
  NewTodo: {
    title: todo.title,
    description: todo.description,
    due_date: todo.due_date,
    due_time: todo.due_time,
    reminder_enabled: true,
    project_id: project.id,
    category_id: category.id,
  },
  TodoChanges: { status: "completed" },
  RecurringTask: recurringTask,
  NewRecurringTask: {
    title: recurringTask.title,
    schedule: recurringTask.schedule,
    custom_days: recurringTask.custom_days,
    category_id: category.id,
  },
  RecurringTaskChanges: { schedule: "weekly", favorite: true },
  Theme: theme,
  UserTheme: {
    id: "e4f6a8b0-2d4c-4e85-a7f9-1b3d5f7a9c07",
    user_id: user.id,
    theme_id: theme.id,
    is_active: true,
    custom_settings: customSettings,
    created_at,
  },
  NewUserTheme: { theme_id: theme.id, is_active: true },
  UserThemeChanges: { custom_settings: customSettings },
} as const satisfies Record<keyof typeof models, object>;
