/** How alike a word must be to be suggested: at most so many slips for each of its characters. */
const slipsPerCharacter = 0.4;

/**
 * The candidate that was probably meant; undefined when none is close.
 *
 * @param candidates compared without regard to case
 */
export function closest(text: string, candidates: readonly string[]): string | undefined {
  const wanted = text.toLowerCase();
  const rated = candidates
    .map((candidate) => ({ candidate, slips: slipsBetween(wanted, candidate.toLowerCase()) }))
    .filter(({ candidate, slips }) => {
      return slips <= Math.max(text.length, candidate.length) * slipsPerCharacter;
    })
    .toSorted((a, b) => a.slips - b.slips);
  return rated[0]?.candidate;
}

/** Optimal string alignment: insertions, deletions, replacements, and swaps of neighbours. */
function slipsBetween(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwapped =
        i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row[j] = Math.min(
        last[j]! + 1,
        row[j - 1]! + 1,
        last[j - 1]! + (isSame ? 0 : 1),
        isSwapped ? beforeLast[j - 2]! + 1 : Infinity,
      );
    }
    beforeLast = last;
    last = row;
  }
  return last[other.length]!;
}
