import { timestamp } from "./text.ts";
import type { Span, World } from "./world.ts";

/**
 * Values that the service makes up: the model takes them from the answer when they can be right,
 * and otherwise says what should have been there, which then shows as the difference.
 */
export interface Generated {
  /** Between the sending of the request and the arrival of its answer. */
  span: Span;
  id(value: unknown): string;
  key(value: unknown): string;
  /** A timestamp of now. */
  now(value: unknown): string;
  within(value: unknown, span: Span): string;
  token(value: unknown, userId: string): string;
}

const uuid4 = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

/**
 * @param sent when the request was sent
 * @param received when its answer was there, both in milliseconds since 1970
 */
export function createGenerated({ seen }: World, sent: number, received: number): Generated {
  const span = { from: timestamp(sent), to: timestamp(received) };

  function fresh(value: unknown, isRight: (text: string) => boolean, otherwise: string): string {
    if (typeof value !== "string" || !isRight(value) || seen.has(value)) return otherwise;
    seen.add(value);
    return value;
  }
  function within(value: unknown, { from, to }: Span): string {
    const isRight =
      typeof value === "string" &&
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value) &&
      value >= from &&
      value <= to;
    return isRight ? value : `<a timestamp from ${from} to ${to}>`;
  }
  return {
    span,
    within,
    now: (value) => within(value, span),
    id: (value) => fresh(value, (text) => uuid4.test(text), "<a new UUID>"),
    key: (value) => fresh(value, (text) => /^todo_[\dA-Za-z]{38}$/.test(text), "<a new key>"),
    token: (value, userId) =>
      fresh(value, (text) => isToken(text, userId, span), "<a token of an hour>"),
  };
}

function isToken(text: string, userId: string, { from, to }: Span): boolean {
  const [head = "", payload = "", signature, ...rest] = text.split(".");
  const { alg } = decode(head);
  const { sub, iat, exp, jti, iss, pwd, ...others } = decode(payload);
  return (
    alg === "HS256" &&
    sub === userId &&
    iss === "todo" &&
    typeof jti === "string" &&
    typeof pwd === "string" &&
    Number(exp) - Number(iat) === 3600 &&
    timestamp(Number(iat) * 1000) >= from &&
    timestamp(Number(iat) * 1000) <= to &&
    Object.keys(others).length === 0 &&
    signature !== undefined &&
    rest.length === 0
  );
}

function decode(part: string): Record<string, unknown> {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString()) as Record<string, unknown>;
  } catch {
    return {};
  }
}
