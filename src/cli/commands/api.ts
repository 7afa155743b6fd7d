import { type Command, InvalidArgumentError, Option } from "commander";
import { unexpectedAnswer } from "../../client/connection-error.ts";
import { type RawAnswer, requestRaw } from "../../client/raw-request.ts";
import { ApiError, errorCodeOf } from "../../contract/errors.ts";
import { apiPrefix } from "../../contract/routes.ts";
import { collect, parseAssignments } from "../assignments.ts";
import { CliError } from "../errors.ts";
import { addExamples } from "../help/examples.ts";
import { readInput } from "../input.ts";
import { harmlessLines } from "../output/text.ts";
import { type Session, withSession } from "../session.ts";

interface ApiFlags {
  field?: string[];
  input?: string;
}

/** `todo api`: any request of the API. */
export function addApiCommand(program: Command): void {
  const command = program
    .command("api")
    .argument("<method>", "GET, POST, PUT or DELETE", parseMethod)
    .argument("<path>", `path of the endpoint, with or without ${apiPrefix}`)
    .description(
      "Send a request to the API with the instance's key, and print the answer as it came. The exit code tells how it went.",
    )
    .summary("send any request to the API")
    .addOption(
      new Option(
        "-f, --field <name=text>",
        "a field of the body (of the query, with GET); name:=json for other values; repeatable",
      ).argParser(collect),
    )
    .option("--input <file>", "send the file's JSON as the body; - reads stdin")
    .action(withSession(callApi));
  addExamples(command, [
    ["todo api GET /todos -f status=open", "the first page of the open todos"],
    ['todo api POST /todos -f title="Buy milk" -f reminder_enabled:=true', "add one"],
    ["todo api PUT /user/profile --input profile.json", "with a body from a file"],
  ]);
}

function parseMethod(text: string): string {
  if (/^[a-z]{1,16}$/i.test(text)) return text.toUpperCase();
  throw new InvalidArgumentError("Give a method of HTTP, such as GET.");
}

async function callApi(
  { instance, flags, output }: Session,
  method: string,
  path: string,
  { field, input }: ApiFlags,
): Promise<void> {
  const fields = field && parseAssignments("-f", field);
  const hasBody = !["GET", "HEAD"].includes(method);
  if (input !== undefined && (fields !== undefined || !hasBody)) {
    const reason = hasBody ? "-f makes a body of its own" : `${method} has no body`;
    throw new CliError("usage", `--input cannot be used here: ${reason}.`);
  }
  const body = input === undefined ? JSON.stringify(fields) : await readInput(input, "--input");
  const query = hasBody ? "" : toQuery(path, fields);
  const { server, key, fetch } = instance;
  const answer = await requestRaw(
    { server, fetch, timeout: flags.timeout * 1000, ...(key !== undefined && { key }) },
    { method, path: toApiPath(path) + query, body: hasBody ? body : undefined },
  );
  if (answer.text !== "") {
    // A terminal obeys what a program only reads.
    output.line((output.isTerminal ? harmlessLines(answer.text) : answer.text).replace(/\n$/, ""));
  }
  throwUnlessSuccess(answer, instance.name);
}

/** Always below the server's URL: the key reaches no other host, whatever the path is. */
function toApiPath(path: string): string {
  const absolute = path.startsWith("/") ? path : `/${path}`;
  const isPrefixed = absolute === apiPrefix || /^\/api\/v1[/?]/.test(absolute);
  return isPrefixed ? absolute : apiPrefix + absolute;
}

function toQuery(path: string, fields: Record<string, unknown> = {}): string {
  const entries = Object.entries(fields).map(([name, value]): [string, string] => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  if (entries.length === 0) return "";
  return (path.includes("?") ? "&" : "?") + new URLSearchParams(entries).toString();
}

/** @throws ApiError for a refusal, ConnectionError for what is no answer of the API */
function throwUnlessSuccess({ status, text: body, location }: RawAnswer, server: string): void {
  if (status >= 200 && status < 300) return;
  const { message, errors } = parseEnvelope(body);
  if (typeof message !== "string") throw unexpectedAnswer(server, status, location);
  throw new ApiError(errorCodeOf(status), message, { errors });
}

interface Envelope {
  message?: unknown;
  errors?: Record<string, string>;
}

function parseEnvelope(body: string): Envelope {
  try {
    return (JSON.parse(body) ?? {}) as Envelope;
  } catch {
    return {};
  }
}
