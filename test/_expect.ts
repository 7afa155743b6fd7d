import assert from "node:assert/strict";
import { ApiError, type ErrorCode } from "../src/contract/errors.ts";
import type { RawResponse } from "./_server.ts";

/** Expects an operation to be refused with that code; returns the error for more. */
export async function refused(call: Promise<unknown>, code: ErrorCode): Promise<ApiError> {
  try {
    await call;
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    assert.equal(error.code, code);
    return error;
  }
  assert.fail(`expected ${code}, but it succeeded`);
}

/** Expects a 422 about exactly the given fields. */
export async function invalid(call: Promise<unknown>, ...fields: string[]): Promise<ApiError> {
  const error = await refused(call, "invalid");
  assert.equal(error.message, "Validation failed");
  assert.deepEqual(Object.keys(error.errors ?? {}).toSorted(), fields.toSorted());
  return error;
}

/** Expects a failure of that status in the shape of the contract's envelope. */
export function failure(response: RawResponse, status: number, message?: string): void {
  assert.equal(response.status, status, response.text);
  assert.equal(response.body.success, false);
  assert.equal(typeof response.body.message, "string");
  if (message !== undefined) assert.equal(response.body.message, message);
}
