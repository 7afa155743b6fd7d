import { type Command, InvalidArgumentError, Option } from "commander";
import { printAgenda } from "../agenda/agenda-view.ts";
import { readAgenda } from "../agenda/agenda.ts";
import { addDays, localDay } from "../dates.ts";
import { refuseUnknownCommands } from "../default-command.ts";
import { addExamples } from "../help/examples.ts";
import type { Output } from "../output/output.ts";
import { type Session, withSession } from "../session.ts";

const shape =
  "With --json: {overdue: [todo…], days: [{date, todos: [todo…], recurring: [recurring task…]}]}.";

/** `todo today`, which is also `todo` alone, and `todo agenda`. */
export function addAgendaCommands(program: Command): void {
  const today = program
    .command("today", { isDefault: true })
    .description(
      `Show what is overdue and what is due today, the recurring tasks (↻) of the day included. ${shape}`,
    )
    .summary("what is overdue or due today")
    .action(withSession((session) => showAgenda(session, 1)));
  addExamples(today, [
    ["todo", "the same"],
    ["todo today --json", "for a script"],
  ]);
  refuseUnknownCommands(program);

  const agenda = program
    .command("agenda")
    .description(
      `Show what is overdue and what is due on the next days, today included, with the recurring tasks (↻) of each day; in the time zone of the terminal. ${shape}`,
    )
    .summary("what is overdue or due in the next days")
    .addOption(new Option("--days <n>", "how many days").default(7).argParser(parseDays))
    .action(withSession((session, { days }: { days: number }) => showAgenda(session, days)));
  addExamples(agenda, [
    ["todo agenda", "a week"],
    ["todo agenda --days 30", "a month"],
  ]);
}

function parseDays(text: string): number {
  const days = Number(text);
  if (/^\d{1,3}$/.test(text) && days >= 1 && days <= 366) return days;
  throw new InvalidArgumentError("Give a number of days from 1 to 366.");
}

async function showAgenda({ client, output }: Session, count: number): Promise<void> {
  const today = localDay(new Date());
  const { agenda, moreOverdue, moreDue } = await readAgenda(client, today, count);
  await output.show(agenda, () => printAgenda(output, agenda, today));
  if (agenda.days.every(({ todos, recurring }) => todos.length + recurring.length === 0)) {
    const when = count === 1 ? "today" : `in the next ${count} days`;
    output.tell(`Nothing is due ${when}. \`todo list\` shows all there is to do.`);
  }
  tellOfMore(output, "overdue", "overdue", agenda.overdue.length, moreOverdue);
  const range = `${today}..${addDays(today, count - 1)}`;
  const due = agenda.days.reduce((sum, { todos }) => sum + todos.length, 0);
  tellOfMore(output, "due", range, due, moreDue);
}

/** Says how to see what the agenda has no room for. */
function tellOfMore(
  output: Output,
  what: string,
  filter: string,
  shown: number,
  more: number,
): void {
  if (more === 0) return;
  const command = `todo list --due ${filter} --limit ${shown + more}`;
  output.tell(`${more} more are ${what}. See \`${command}\`.`);
}
