/** A colour as `#rrggbb`. */
export type Hex = `#${string}`;

/** The colours of a theme. */
export interface Palette {
  background: Hex;
  foreground: Hex;
  muted: Hex;
  primary: Hex;
  accent: Hex;
  success: Hex;
  warning: Hex;
  danger: Hex;
}

/**
 * The palettes of the catalogue's first themes, by name. The API's contract has
 * no palettes, so the command line brings its own; a test holds them equal to
 * those of the migration. Themes that an operator has added have none here.
 */
export const palettes: Record<string, Palette> = {
  "catppuccin-mocha": {
    background: "#1e1e2e",
    foreground: "#cdd6f4",
    muted: "#7f849c",
    primary: "#89b4fa",
    accent: "#cba6f7",
    success: "#a6e3a1",
    warning: "#f9e2af",
    danger: "#f38ba8",
  },
  dracula: {
    background: "#282a36",
    foreground: "#f8f8f2",
    muted: "#6272a4",
    primary: "#bd93f9",
    accent: "#ff79c6",
    success: "#50fa7b",
    warning: "#f1fa8c",
    danger: "#ff5555",
  },
  "everforest-dark": {
    background: "#2d353b",
    foreground: "#d3c6aa",
    muted: "#859289",
    primary: "#7fbbb3",
    accent: "#d699b6",
    success: "#a7c080",
    warning: "#dbbc7f",
    danger: "#e67e80",
  },
  "gruvbox-dark": {
    background: "#282828",
    foreground: "#ebdbb2",
    muted: "#928374",
    primary: "#83a598",
    accent: "#d3869b",
    success: "#b8bb26",
    warning: "#fabd2f",
    danger: "#fb4934",
  },
  "high-contrast": {
    background: "#000000",
    foreground: "#ffffff",
    muted: "#c0c0c0",
    primary: "#5cc8ff",
    accent: "#ffa6ff",
    success: "#5fff5f",
    warning: "#ffff00",
    danger: "#ff8080",
  },
  "kanagawa-wave": {
    background: "#1f1f28",
    foreground: "#dcd7ba",
    muted: "#727169",
    primary: "#7e9cd8",
    accent: "#957fb8",
    success: "#98bb6c",
    warning: "#e6c384",
    danger: "#e46876",
  },
  nord: {
    background: "#2e3440",
    foreground: "#eceff4",
    muted: "#81a1c1",
    primary: "#88c0d0",
    accent: "#b48ead",
    success: "#a3be8c",
    warning: "#ebcb8b",
    danger: "#bf616a",
  },
  "okabe-ito": {
    background: "#101418",
    foreground: "#f2f2f2",
    muted: "#999999",
    primary: "#56b4e9",
    accent: "#cc79a7",
    success: "#009e73",
    warning: "#f0e442",
    danger: "#d55e00",
  },
  paper: {
    background: "#fbfaf6",
    foreground: "#24292f",
    muted: "#6a6f76",
    primary: "#0b5fc2",
    accent: "#7a3fb3",
    success: "#1b7a37",
    warning: "#8a5a00",
    danger: "#b3261e",
  },
  "rose-pine": {
    background: "#191724",
    foreground: "#e0def4",
    muted: "#908caa",
    primary: "#c4a7e7",
    accent: "#ebbcba",
    success: "#9ccfd8",
    warning: "#f6c177",
    danger: "#eb6f92",
  },
  "solarized-dark": {
    background: "#002b36",
    foreground: "#93a1a1",
    muted: "#657b83",
    primary: "#268bd2",
    accent: "#d33682",
    success: "#859900",
    warning: "#b58900",
    danger: "#dc322f",
  },
  "tokyo-night": {
    background: "#1a1b26",
    foreground: "#c0caf5",
    muted: "#787c99",
    primary: "#7aa2f7",
    accent: "#bb9af7",
    success: "#9ece6a",
    warning: "#e0af68",
    danger: "#f7768e",
  },
};

/** The palette of the catalogue's theme of that name; undefined for others. */
export function paletteOf(theme: string): Palette | undefined {
  return Object.hasOwn(palettes, theme) ? palettes[theme] : undefined;
}
