import type { Database } from "../storage/database.ts";
import type { Snapshot } from "../storage/snapshots.ts";
import type { Endpoint } from "./exchange.ts";
import type { Log } from "./log.ts";
import { byMethod } from "./methods.ts";

/**
 * Answers the bytes of the database, with everything that was acknowledged before it was asked.
 * When that fails the answer breaks off, and the log says why.
 */
export function backupEndpoint({
  db,
  log,
}: {
  db: Pick<Database, "snapshot">;
  log: Log;
}): Endpoint {
  return byMethod("public", { GET: () => ({ status: 200, stream: streamOf(db, log) }) });
}

function streamOf(db: Pick<Database, "snapshot">, log: Log): ReadableStream<Uint8Array> {
  let snapshot: Snapshot | undefined;
  let chunks: AsyncGenerator<Uint8Array, void> | undefined;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          // Not before somebody reads: an answer that is never sent leaves nothing open.
          chunks ??= (snapshot = db.snapshot()).read();
          const { value } = await chunks.next();
          if (value !== undefined) return controller.enqueue(value);
          controller.close();
        } catch (error) {
          log.error("The database could not be copied", error);
          controller.error(error);
        }
        snapshot?.close();
      },
      cancel() {
        snapshot?.close();
      },
    },
    { highWaterMark: 0 },
  );
}
