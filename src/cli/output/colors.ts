import { styleText } from "node:util";
import type { Hex, Palette } from "../themes/palette.ts";

type StyleName = Parameters<typeof styleText>[0];

/** A name that `util.styleText` knows, several of them, or a colour as `#rrggbb`. */
export type Style = StyleName | Hex;

/** Puts text into a style. */
export type Styler = (style: Style, text: string) => string;

/** What the palette of a theme has in place of the terminal's own colours. */
const roles: Partial<Record<string, keyof Palette>> = {
  dim: "muted",
  gray: "muted",
  red: "danger",
  green: "success",
  yellow: "warning",
  blue: "primary",
  cyan: "primary",
  magenta: "accent",
};

/**
 * How a terminal shows styles. Where the palette has a colour it stands in for
 * the terminal's own of that role; plain text and the background stay as they are.
 *
 * @param palette the active theme's; empty without one
 * @param bits of colour that the terminal has, as `getColorDepth` of `node:tty`
 *   counts them: 1 (none), 4, 8 or 24; palettes need at least 8
 */
export function paletteStyles(palette: Partial<Palette>, bits: number): Styler {
  function apply(name: string, text: string): string {
    if (name.startsWith("#")) return paint(name, text, bits);
    const role = roles[name];
    const color = role !== undefined && bits >= 8 ? palette[role] : undefined;
    if (color !== undefined) return paint(color, text, bits);
    return styleText(name as StyleName, text, { validateStream: false });
  }
  return (style, text) => {
    if (bits < 4 || text === "") return text;
    return [style].flat().reduce((styled, name) => apply(name, styled), text);
  };
}

/**
 * SGR 38, "set foreground colour" (ISO 8613-6, as terminals have it since xterm). With fewer than
 * 256 colours another one than was meant would show, so there is none.
 */
function paint(color: string, text: string, bits: number): string {
  if (bits < 8 || !isColor(color)) return text;
  const channels = channelsOf(color);
  const code = bits >= 24 ? `2;${channels.join(";")}` : `5;${nearest(channels)}`;
  return `\u001B[38;${code}m${text}\u001B[39m`;
}

/** Whether the text is `#rrggbb`: a server could say anything. */
export function isColor(text: string): text is Hex {
  return /^#[\da-f]{6}$/i.test(text);
}

function channelsOf(color: string): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
}

const cubeLevels = [0, 95, 135, 175, 215, 255];

/** The nearest of xterm's 256 colours: a 6 × 6 × 6 cube from 16 on, 24 greys from 232 on. */
function nearest(channels: readonly number[]): number {
  const steps = channels.map((channel) => closestIndex(cubeLevels, channel));
  const cube = steps.map((step) => cubeLevels[step]!);
  const mean = channels.reduce((sum, channel) => sum + channel, 0) / channels.length;
  const step = Math.max(0, Math.min(23, Math.round((mean - 8) / 10)));
  const grey = 8 + step * 10;
  const isGreyNearer = distance(channels, [grey, grey, grey]) < distance(channels, cube);
  return isGreyNearer ? 232 + step : steps.reduce((code, level) => code * 6 + level, 0) + 16;
}

function closestIndex(levels: readonly number[], value: number): number {
  const distances = levels.map((level) => Math.abs(level - value));
  return distances.indexOf(Math.min(...distances));
}

function distance(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, channel, index) => sum + (channel - other[index]!) ** 2, 0);
}
