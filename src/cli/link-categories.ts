import type { Client } from "../client/client.ts";
import { ApiError } from "../contract/errors.ts";

/**
 * Links further categories to a record: the API takes one of them with the record itself.
 *
 * @throws ApiError, ConnectionError as the client does
 */
export async function linkCategories(
  client: Client,
  resource: "todos" | "recurring",
  id: string,
  categoryIds: readonly string[],
): Promise<void> {
  for (const category_id of categoryIds) {
    try {
      await client[resource].link({ params: { id }, body: { category_id } });
    } catch (error) {
      // What is linked already is as it should be.
      if (!(error instanceof ApiError) || error.code !== "conflict") throw error;
    }
  }
}
