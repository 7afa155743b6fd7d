/** How much a run proves: everything, or what a gate has time for. */
export type Size = "full" | "ci";

/** One measured result, as a row of the table. */
export interface Figure {
  what: string;
  value: string;
  /** What must hold, in words, such as `0 lost` or `at least 50`. */
  bar: string;
  ok: boolean;
  /**
   * A time, or memory. On a machine that others use it may miss its bar for no reason of ours, so
   * that in a gate it is told and does not decide.
   */
  isNoisy?: true;
}

/** A subject of the proof. It works in folders of its own and cleans up after itself. */
export interface Part {
  /** What `npm run prove -- NAME` takes. */
  name: string;
  title: string;
  /** It takes long and little: it runs in a process of its own, beside all the others. */
  beside?: true;
  /**
   * How long something takes decides none of its figures: it runs in a process of its own, beside
   * another part of this kind. All else has the machine to itself.
   */
  untimed?: true;
  /**
   * @param tell says how far the work is, and what went wrong, in single lines
   * @throws when the part itself cannot be carried out; what it disproves is a figure that is not ok
   */
  run: (size: Size, tell: (line: string) => void) => Promise<Figure[]>;
}
