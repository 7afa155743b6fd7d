import type { ConnectionError } from "../client/connection-error.ts";
import type { ApiError, ErrorCode } from "../contract/errors.ts";
import type { Failure } from "./errors.ts";

const failures: Partial<Record<ErrorCode, Failure>> = {
  unauthorized: "not_allowed",
  forbidden: "not_allowed",
  not_found: "not_found",
  invalid: "usage",
  bad_request: "usage",
  too_large: "usage",
};

/** What an answer of the API means for the exit code. */
export function failureOf({ code }: ApiError): Failure {
  return failures[code] ?? "failed";
}

const advice: Partial<Record<ErrorCode, string>> = {
  busy: "Wait a little, then try again.",
  internal: "The server's log says more.",
};

/** An answer of the API in words for the user, with what to do next. */
export function describeApiError({ code, message, errors, retryAfter }: ApiError): string {
  if (errors !== undefined) return Object.values(errors).join(" ");
  const next = code === "too_many_requests" ? waitFor(retryAfter) : advice[code];
  return next === undefined ? sentence(message) : `${sentence(message)} ${next}`;
}

/** The text with a mark at its end. */
export function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function waitFor(seconds = 60): string {
  const minutes = Math.ceil(seconds / 60);
  return `Try again in ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`;
}

/** Why no answer of the API came, and what to do about it. */
export function describeConnectionError({ failure, server, message }: ConnectionError): string {
  const descriptions = {
    unreachable: `${server} could not be reached: ${message}. Is it running? Start it with \`todo serve\`, or choose another with --server or --profile.`,
    not_trusted: `${server} cannot be trusted: ${message}. Check its name, and this machine's clock. If it is your server, and serves with --https, copy https-certificate.pem from its data folder, and name the copy by the variable NODE_EXTRA_CA_CERTS.`,
    timeout: `${server} did not answer in time. Try again, or give it longer with --timeout.`,
    redirect: `${server} sends requests on to ${message}, which is not followed: a key must not reach another server. If you trust it, use that URL.`,
    not_the_api: `${server} does not answer like this API (${message}). Check the URL, and what stands between you and the server.`,
  };
  return descriptions[failure];
}
