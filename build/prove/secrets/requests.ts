import { openApiDocument } from "../../../src/contract/openapi.ts";
import { allRoutes } from "../../../src/contract/routes.ts";
import type { Account } from "../account.ts";
import type { Http } from "../http.ts";

/** Where answers name the record that later paths are about. */
const records: Record<string, string> = {
  "/user/themes": "/marketplace/themes",
  "/user/api-keys": "/user/api-keys",
};

/**
 * Calls every operation of the contract, with the document's own examples as bodies: as it should
 * be, with a secret where none belongs, and without credentials.
 *
 * @returns how many operations there are, and everything that was answered
 */
export async function callEverything(
  http: Http,
  { email, password, key, token }: Account,
): Promise<{ operations: number; answers: string[] }> {
  const answers: string[] = [];
  const bodies = exampleBodies();
  const headers = { "x-api-key": key, authorization: `Bearer ${token}` };
  // What removes comes last.
  const routes = allRoutes().toSorted(
    (a, b) => Number(a.route.method === "DELETE") - Number(b.route.method === "DELETE"),
  );
  for (const { route } of routes) {
    const { method } = route;
    const list = route.path.replace(/\/\{.*/, "");
    const first = await http.send({
      method: "GET",
      target: `/api/v1${records[list] === undefined ? list : records[list]}`,
      headers,
    });
    const id = /"id":"([^"]+)"/.exec(first.text)?.[1] ?? "none";
    // The key of this session is to last.
    const path = route.path.replace("{id}", list === "/user/api-keys" ? "none" : id);
    const target = `/api/v1${path.replace("{categoryId}", id)}`;
    const example = { ...bodies[`${method} ${route.path}`], email, password };
    const body = method === "GET" ? undefined : JSON.stringify(example);
    const register = { ...example, email: `${answers.length}@example.org` };
    const requests = [
      { method, target, headers, body },
      { method, target, headers, body: method === "GET" ? undefined : JSON.stringify(register) },
      { method, target: `${target}?key=${key}&password=${encodeURIComponent(password)}`, body },
      { method, target, headers: { ...headers, "x-api-key": `${key}x` }, body },
      { method, target, headers, body: `{"password":"${password}","key":"${key}",` },
    ];
    for (const request of requests) answers.push((await http.send(request)).text);
  }
  return { operations: routes.length, answers };
}

/** The example of each operation's body, by `POST /todos`. */
function exampleBodies(): Record<string, object> {
  const { components, paths } = openApiDocument({ version: "0" });
  const bodies: Record<string, object> = {};
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { requestBody }] of Object.entries(operations)) {
      const ref = requestBody?.content["application/json"].schema.$ref;
      const example = components.schemas[ref?.split("/").at(-1) ?? ""]?.examples?.[0];
      if (example != null) bodies[`${method.toUpperCase()} ${path}`] = example;
    }
  }
  return bodies;
}
