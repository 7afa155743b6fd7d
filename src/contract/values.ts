/** The fixed sets of values of the contract, as plain data. */

export const scopes = ["read", "write"] as const;
export type Scope = (typeof scopes)[number];

export const statuses = ["open", "in_progress", "completed", "archived"] as const;
export type Status = (typeof statuses)[number];

export const schedules = ["daily", "weekly", "monthly", "custom"] as const;
export type Schedule = (typeof schedules)[number];

export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Weekday = (typeof weekdays)[number];

export const defaultProjectColor = "#8B5CF6";

/** The colours of a theme's palette. */
export const paletteColors = [
  "background",
  "foreground",
  "muted",
  "primary",
  "accent",
  "success",
  "warning",
  "danger",
] as const;
