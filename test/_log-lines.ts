/** Takes what a log writes, line by line. */
export function linesInto(lines: string[]): (text: string) => void {
  return (text) => {
    lines.push(...text.split(/(?<=\n)/));
  };
}
