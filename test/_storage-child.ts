// A process that opens the database of the folder in argv and adds notes, `writers` at a time. It
// prints the text of each note once it is durable, and stops when its standard input ends.
import { openDatabase } from "../src/storage/database.ts";
import { addNote, migrations } from "./_storage.ts";

const [folder = "", writers = "1"] = process.argv.slice(2);
const db = await openDatabase({ folder, migrations });
process.stdout.write("ready\n");

let next = 1;
const stop = { asked: false };
process.stdin.on("end", () => (stop.asked = true)).resume();

async function write(): Promise<void> {
  while (!stop.asked) {
    const text = `note ${next++} of process ${process.pid} ${"x".repeat(200)}`;
    addNote(db, text);
    await db.durable();
    process.stdout.write(`${text}\n`);
  }
}

await Promise.all(Array.from({ length: Number(writers) }, write));
await db.close();
