import "./arktype-config.ts";

// The only place that imports arktype, so that its configuration always comes first.
export { type, ArkErrors } from "arktype";
