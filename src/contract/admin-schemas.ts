import * as admin from "./admin.ts";
import type { adminRoutes } from "./admin-routes.ts";
import type { OperationSchemas, TypesOf } from "./schemas.ts";

type AdminRoutes = typeof adminRoutes;
type Shapes = { [R in keyof AdminRoutes]: { [A in keyof AdminRoutes[R]]: OperationSchemas } };

/** The shapes of every operation of the administration; a missing one does not compile. */
export const adminSchemas = {
  users: {
    list: { query: admin.AdminUserQuery, result: admin.AdminUser },
    create: { body: admin.NewAdminUser, result: admin.AdminUser },
    setPassword: { body: admin.PasswordChange, result: admin.PasswordChanged },
    remove: {},
  },
  keys: {
    list: { query: admin.AdminKeyQuery, result: admin.AdminKey },
    revoke: {},
  },
  themes: {
    list: { result: admin.AdminTheme },
    create: { body: admin.NewTheme, result: admin.AdminTheme },
    remove: {},
  },
} as const satisfies Shapes;

/** The types of every operation of the administration. */
export type AdminApi = TypesOf<AdminRoutes, typeof adminSchemas>;

export type AdminUser = typeof admin.AdminUser.infer;
export type AdminKey = typeof admin.AdminKey.infer;
export type AdminTheme = typeof admin.AdminTheme.infer;
