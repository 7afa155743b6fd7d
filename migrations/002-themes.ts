import type { Migration } from "./migration.ts";

/**
 * The first catalogue of themes. Text on its background has a contrast of at
 * least 4.5, mostly of 7, the other colours of at least 3 (WCAG 2.2, 1.4.3 and
 * 1.4.11). Where the usual colour of a known palette is fainter, another one of
 * that palette stands in.
 */
export const themes: Migration = {
  version: 2,
  name: "themes",
  up: `
INSERT INTO themes
  (id, name, display_name, description, author, version, created_at, updated_at, palette)
VALUES
  ('60c5e89c-6597-41d1-aace-7b8cb0472240', 'catppuccin-mocha', 'Catppuccin Mocha',
   'Soothing pastels on a deep blue-grey, the darkest flavour of Catppuccin.',
   'Catppuccin', '1.0.0', '2026-11-20 00:00:00', '2026-11-20 00:00:00',
   '{"background":"#1e1e2e","foreground":"#cdd6f4","muted":"#7f849c","primary":"#89b4fa","accent":"#cba6f7","success":"#a6e3a1","warning":"#f9e2af","danger":"#f38ba8"}'),

  ('a3b39d09-ad23-4976-8954-bf62c9fbbf6d', 'dracula', 'Dracula',
   'Vivid purple, pink and green on a dark background.',
   'Zeno Rocha', '1.0.0', '2026-11-20 00:00:00', '2026-11-20 00:00:00',
   '{"background":"#282a36","foreground":"#f8f8f2","muted":"#6272a4","primary":"#bd93f9","accent":"#ff79c6","success":"#50fa7b","warning":"#f1fa8c","danger":"#ff5555"}'),

  ('cd707a34-2fdd-472c-a178-6bafe27c83d4', 'everforest-dark', 'Everforest Dark',
   'Warm and soft colours of a forest, gentle on the eyes.',
   'sainnhe', '1.0.0', '2026-11-20 00:00:00', '2026-11-20 00:00:00',
   '{"background":"#2d353b","foreground":"#d3c6aa","muted":"#859289","primary":"#7fbbb3","accent":"#d699b6","success":"#a7c080","warning":"#dbbc7f","danger":"#e67e80"}'),

  ('8bc0e249-1fc7-4b90-aff9-80a0ef4ff09d', 'gruvbox-dark', 'Gruvbox Dark',
   'Retro and earthy, with colours that are easy to tell apart.',
   'Pavel Pertsev', '1.0.0', '2026-11-20 00:00:00', '2026-11-20 00:00:00',
   '{"background":"#282828","foreground":"#ebdbb2","muted":"#928374","primary":"#83a598","accent":"#d3869b","success":"#b8bb26","warning":"#fabd2f","danger":"#fb4934"}'),

  ('6c805f6e-8623-4114-98bd-be69b8905105', 'high-contrast', 'High Contrast',
   'White on black, and no colour with a contrast below 7.',
   'todo', '1.0.0', '2026-11-20 00:00:00', '2026-11-20 00:00:00',
   '{"background":"#000000","foreground":"#ffffff","muted":"#c0c0c0","primary":"#5cc8ff","accent":"#ffa6ff","success":"#5fff5f","warning":"#ffff00","danger":"#ff8080"}'),

  ('cec38128-7be7-4421-a354-8184e57c2f15', 'kanagawa-wave', 'Kanagawa Wave',
   'Ink and faded dyes, after the woodblock prints of Hokusai.',
   'Tommaso Laurenzi', '1.0.0', '2026-11-20 00:00:00', '2026-11-20 00:00:00',
   '{"background":"#1f1f28","foreground":"#dcd7ba","muted":"#727169","primary":"#7e9cd8","accent":"#957fb8","success":"#98bb6c","warning":"#e6c384","danger":"#e46876"}'),

  ('52a52b87-12cf-48c3-81bc-5f856e2bc008', 'nord', 'Nord',
   'Cool and quiet arctic blues.',
   'Sven Greb', '1.0.0', '2026-11-20 00:00:00', '2026-11-20 00:00:00',
   '{"background":"#2e3440","foreground":"#eceff4","muted":"#81a1c1","primary":"#88c0d0","accent":"#b48ead","success":"#a3be8c","warning":"#ebcb8b","danger":"#bf616a"}'),

  ('058d72e8-e797-4227-9c7b-70e7090b6c38', 'okabe-ito', 'Okabe-Ito',
   'Safe for colour-blind people, with the colours of Masataka Okabe and Kei Ito on near-black.',
   'todo', '1.0.0', '2026-11-20 00:00:00', '2026-11-20 00:00:00',
   '{"background":"#101418","foreground":"#f2f2f2","muted":"#999999","primary":"#56b4e9","accent":"#cc79a7","success":"#009e73","warning":"#f0e442","danger":"#d55e00"}'),

  ('167c4964-f947-435f-9770-4bb967c01396', 'paper', 'Paper',
   'A light theme: dark ink on warm white, for bright rooms.',
   'todo', '1.0.0', '2026-11-20 00:00:00', '2026-11-20 00:00:00',
   '{"background":"#fbfaf6","foreground":"#24292f","muted":"#6a6f76","primary":"#0b5fc2","accent":"#7a3fb3","success":"#1b7a37","warning":"#8a5a00","danger":"#b3261e"}'),

  ('0bee64b2-072b-490b-83c4-1e9554e881fd', 'rose-pine', 'Rosé Pine',
   'Muted rose, gold and foam on a dark violet.',
   'Rosé Pine', '1.0.0', '2026-11-20 00:00:00', '2026-11-20 00:00:00',
   '{"background":"#191724","foreground":"#e0def4","muted":"#908caa","primary":"#c4a7e7","accent":"#ebbcba","success":"#9ccfd8","warning":"#f6c177","danger":"#eb6f92"}'),

  ('0332ee2a-f788-4639-815d-9c1c5809d8e1', 'solarized-dark', 'Solarized Dark',
   'Precisely balanced colours of low glare on a deep blue-green.',
   'Ethan Schoonover', '1.0.0', '2026-11-20 00:00:00', '2026-11-20 00:00:00',
   '{"background":"#002b36","foreground":"#93a1a1","muted":"#657b83","primary":"#268bd2","accent":"#d33682","success":"#859900","warning":"#b58900","danger":"#dc322f"}'),

  ('3f25be49-08f1-4930-ae52-0347571b7ace', 'tokyo-night', 'Tokyo Night',
   'The lights of downtown Tokyo at night, in clear blues and violets.',
   'Enkia', '1.0.0', '2026-11-20 00:00:00', '2026-11-20 00:00:00',
   '{"background":"#1a1b26","foreground":"#c0caf5","muted":"#787c99","primary":"#7aa2f7","accent":"#bb9af7","success":"#9ece6a","warning":"#e0af68","danger":"#f7768e"}');
`,
};
