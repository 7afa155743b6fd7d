import type { Client } from "../../client/client.ts";
import { limits } from "../../contract/limits.ts";
import type { Model } from "../../contract/schemas.ts";
import { addDays } from "../dates.ts";
import { occursOn } from "./occurrences.ts";
import { takePages } from "../pages.ts";

type Todo = Model<"Todo">;
type RecurringTask = Model<"RecurringTask">;

/** What is to be done on some days. */
export interface Agenda {
  /** Open todos of earlier days, the oldest first. */
  overdue: Todo[];
  days: AgendaDay[];
}

/** A day (`YYYY-MM-DD`) with its todos, those with a time first, and its recurring tasks. */
interface AgendaDay {
  date: string;
  todos: Todo[];
  recurring: RecurringTask[];
}

/** An agenda, and how many todos it has no room for: it holds at most 200 late and 200 due ones. */
export interface CutAgenda {
  agenda: Agenda;
  moreOverdue: number;
  moreDue: number;
}

/**
 * The agenda of so many days from today on. It takes three requests, however many todos there are;
 * only with more than 200 recurring tasks it takes more, since all of them must be looked at.
 *
 * @param today the local day
 */
export async function readAgenda(client: Client, today: string, days: number): Promise<CutAgenda> {
  const dates = Array.from({ length: days }, (_, index) => addDays(today, index));
  const query = {
    status: ["open", "in_progress"],
    sort: "due_date,due_time",
    per_page: limits.perPage.max,
  };
  const [overdue, due, recurring] = await Promise.all([
    client.todos.list({ query: { ...query, due_to: addDays(today, -1) } }),
    client.todos.list({ query: { ...query, due_from: today, due_to: dates.at(-1)! } }),
    takePages((paging) => client.recurring.list({ query: { ...paging, sort: "title" } }), Infinity),
  ]);
  const agenda = {
    overdue: overdue.data,
    days: dates.map((date) => ({
      date,
      todos: due.data.filter(({ due_date }) => due_date === date),
      recurring: recurring.records.filter((task) => occursOn(task, date)),
    })),
  };
  return {
    agenda,
    moreOverdue: overdue.pagination.total - overdue.data.length,
    moreDue: due.pagination.total - due.data.length,
  };
}
