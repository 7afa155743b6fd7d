import { filtersSection } from "./filters.ts";
import { growthSection, usersSection } from "./growth.ts";
import { loginsSection } from "./logins.ts";
import { getSection, listSection } from "./reads.ts";
import type { Section } from "./section.ts";
import { memorySection, startSection } from "./start.ts";
import { checkpointsSection, createSection, mixedSection, slowDiskSection } from "./writes.ts";

/** Everything that is measured, in the order in which it runs. */
export const sections: readonly Section[] = [
  getSection,
  listSection,
  filtersSection,
  createSection,
  mixedSection,
  slowDiskSection,
  growthSection,
  usersSection,
  startSection,
  loginsSection,
  checkpointsSection,
  memorySection,
];
