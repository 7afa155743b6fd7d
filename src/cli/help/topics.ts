import { readFileSync } from "node:fs";

/** What `todo help TOPIC` explains, beside the commands. */
export const topics = {
  dates: "how to say when something is due",
  filters: "how to find todos, and to use them in scripts",
  environment: "environment variables and files",
  "exit-codes": "what the exit code of a command says",
  api: "the REST API, and how to call it",
  serving: "https, phones, services, proxies and containers",
  security: "what is protected, and how",
  threats: "who could attack what, and what stops them",
  "data-safety": "what is promised about your data",
  proof: "how the promises are tried, and the figures",
  speed: "how fast it is, and compared with what",
  contributing: "how to work on todo itself",
  dependencies: "what todo is built on, and why",
} as const;

export type Topic = keyof typeof topics;

/** Whether there is such a topic. */
export function isTopic(name: string): name is Topic {
  return Object.hasOwn(topics, name);
}

/** The text of a topic, in Markdown. */
export function readTopic(topic: Topic): string {
  return readFileSync(new URL(`./${topic}.md`, import.meta.url), "utf8");
}
