import { showFetch } from "./hide-fetch.ts";
// oxlint-disable-next-line import/first -- the order is the point
import { createFetch, FetchError } from "ofetch";

showFetch();

export { createFetch, FetchError };
