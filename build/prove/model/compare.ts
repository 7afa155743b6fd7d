import type { Answer, Request } from "../http.ts";
import type { Expected } from "./predict.ts";

/** What the rulings say of every answer. */
const everywhere: Expected["headers"] = {
  "access-control-allow-origin": "*",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

/** What differs, in a few lines; undefined when nothing does. */
export function difference(expected: Expected, request: Request, answer: Answer) {
  const wrong: string[] = [];
  if (answer.status !== expected.status) {
    wrong.push(`status ${answer.status}, must be ${expected.status}`);
  }
  if (answer.text !== expected.text) {
    wrong.push(`body ${answer.text}\n  must be ${expected.text}`);
  }
  const hasBody = expected.text !== "" || (request.method === "HEAD" && answer.status !== 0);
  const headers: Expected["headers"] = {
    ...everywhere,
    ...(hasBody && { "content-type": "application/json;charset=UTF-8" }),
    ...expected.headers,
  };
  for (const [name, value] of Object.entries(headers)) {
    const shown = String(answer.headers[name]);
    const isRight = typeof value === "string" ? shown === value : value.test(shown);
    if (!isRight) wrong.push(`${name}: ${shown}, must be ${String(value)}`);
  }
  return wrong.length === 0 ? undefined : wrong.join("\n  ");
}

/** Whether the answer has one of the shapes of section 1 of interface.md. */
export function hasEnvelope({ method }: Request, { status, text }: Answer): boolean {
  if (method === "HEAD" || (method === "OPTIONS" && status === 200)) return text === "";
  let body: Record<string, unknown>;
  try {
    body = JSON.parse(text) as Record<string, unknown>;
  } catch {
    return false;
  }
  const names = Object.keys(body).join();
  if (typeof body["message"] !== "string") return false;
  if (status < 300) {
    return body["success"] === true && /^success,message,data(,pagination)?$/.test(names);
  }
  if (names === "error,message") return status === 401 || status === 403;
  return body["success"] === false && /^success,message(,errors)?$/.test(names);
}
