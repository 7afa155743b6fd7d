import { H3 } from "h3";
import { adminPrefix, adminRoutes, backupPath } from "../contract/admin-routes.ts";
import { adminSchemas } from "../contract/admin-schemas.ts";
import { ApiError } from "../contract/errors.ts";
import type { AdminServices } from "../services/actions.ts";
import type { Database } from "../storage/database.ts";
import { backupEndpoint } from "./backup-endpoint.ts";
import type { Endpoint } from "./exchange.ts";
import { type Handling, createHandler, failOutside } from "./handler.ts";
import { mountRoutes, untyped } from "./mount.ts";

export interface AdminAppOptions extends Omit<Handling, "addressOf"> {
  db: Pick<Database, "durable" | "snapshot">;
  services: AdminServices;
}

/**
 * The administration as an app of its own, for the socket of `admin-listener.ts` and for commands
 * in process. It knows no credentials: whoever reaches it is the operator, so it must never listen
 * on a network.
 */
export function createAdminApp({ db, log, services }: AdminAppOptions): H3 {
  const app = new H3({ silent: true, allowMalformedURL: true, onError: failOutside(log) });
  const mount = (path: string, endpoint: Endpoint) => {
    app.all(path, createHandler({ db, log, addressOf: () => "" }, endpoint));
  };
  const endpoints = mountRoutes({
    prefix: adminPrefix,
    routes: adminRoutes,
    schemas: adminSchemas,
    services: untyped(services),
    subjects: {},
    identify: (_route, { client }) => client,
  });
  for (const { path, endpoint } of endpoints) mount(path, endpoint);
  mount(adminPrefix + backupPath, backupEndpoint({ db, log }));
  mount("/**", {
    auth: "public",
    answer() {
      throw new ApiError("not_found", "Route not found");
    },
  });
  return app;
}
