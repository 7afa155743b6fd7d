import type { Client } from "../../client/client.ts";
import { ApiError } from "../../contract/errors.ts";
import type { Model } from "../../contract/schemas.ts";
import { isUuid } from "../../contract/text.ts";
import { colorFor } from "../output/color-names.ts";
import { findOneNamed } from "../named.ts";
import type { Output } from "../output/output.ts";
import { type PageRequest, takePages } from "../pages.ts";

type Project = Model<"Project">;
type Category = Model<"Category">;

/** The caller's projects and categories by name: each list is asked for once, when it is needed. */
export interface Names {
  /** The project of that name in any case, or of that id; made (and said) if there is none. */
  makeProject(name: string): Promise<Project>;
  makeCategory(name: string): Promise<Category>;
  /** @throws CliError `not_found` */
  findProject(name: string): Promise<Project>;
  findCategory(name: string): Promise<Category>;
  /** How a project is called; undefined for one that is gone. */
  projectName(id: string): Promise<string | undefined>;
}

/** The names of the caller whose client it is. */
export function createNames(client: Client, output: Pick<Output, "tell">): Names {
  const projects = createBook<Project>({
    singular: "project",
    plural: "projects",
    mark: "+",
    request: (query) => client.projects.list({ query }),
    async make(name) {
      const { data } = await client.projects.create({ body: { name } });
      output.tell(`Made project +${name}.`);
      return data;
    },
  });
  const categories = createBook<Category>({
    singular: "category",
    plural: "categories",
    mark: "@",
    request: (query) => client.categories.list({ query }),
    async make(name) {
      const body = { name, color: colorFor(name) };
      const { data } = await client.categories.create({ body });
      output.tell(`Made category @${name}.`);
      return data;
    },
  });
  return {
    makeProject: (name) => projects.findOrMake(name),
    makeCategory: (name) => categories.findOrMake(name),
    findProject: (name) => projects.find(name),
    findCategory: (name) => categories.find(name),
    projectName: async (id) => (await projects.records()).find((one) => one.id === id)?.name,
  };
}

interface Kind<T> {
  singular: string;
  plural: string;
  mark: "+" | "@";
  request: PageRequest<T>;
  make(name: string): Promise<T>;
}

function createBook<T extends { id: string; name: string }>(kind: Kind<T>) {
  let loaded: Promise<T[]> | undefined;
  const made = new Map<string, Promise<T>>();

  function records(): Promise<T[]> {
    loaded ??= takePages(kind.request, Infinity).then((pages) => pages.records);
    return loaded;
  }

  async function find(name: string): Promise<T> {
    const all = await records();
    const total = all.length;
    const pagination = { page: 1, per_page: total, total, last_page: 1, has_more: false };
    const request = () => Promise.resolve({ data: all, pagination });
    return findOneNamed({ ...kind, request }, name);
  }

  async function make(name: string): Promise<T> {
    try {
      const record = await kind.make(name);
      (await records()).push(record);
      return record;
    } catch (error) {
      // Another command has been faster: the category is there now.
      if (!(error instanceof ApiError) || error.code !== "conflict") throw error;
      loaded = undefined;
      return find(name);
    }
  }

  return {
    records,
    find,
    async findOrMake(text: string): Promise<T> {
      const all = await records();
      const isKnown = (wanted: string) =>
        all.some(({ name, id }) => name.toLowerCase() === wanted || id === wanted);
      const isMarked = text.startsWith(kind.mark) && !isKnown(text.toLowerCase());
      const name = isMarked ? text.slice(kind.mark.length) : text;
      const key = name.toLowerCase();
      if (isKnown(key) || isUuid(name)) return find(name);
      // Several todos of a batch may name the same new one at once.
      const making = made.get(key) ?? make(name);
      made.set(key, making);
      return making;
    },
  };
}
