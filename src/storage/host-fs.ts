import * as fs from "node:fs";

/**
 * The functions of `node:fs` through which everything reaches the disk. It can be replaced as a
 * whole, so that every call can be recorded and made to fail.
 */
export type HostFs = Pick<
  typeof fs,
  | "accessSync"
  | "chmodSync"
  | "closeSync"
  | "fchownSync"
  | "fdatasync"
  | "fdatasyncSync"
  | "fstatSync"
  | "fsyncSync"
  | "ftruncateSync"
  | "lstatSync"
  | "mkdirSync"
  | "openSync"
  | "read"
  | "readdirSync"
  | "readSync"
  | "renameSync"
  | "rmdirSync"
  | "statSync"
  | "statfsSync"
  | "unlinkSync"
  | "writeSync"
>;

/** The real file system. */
export const nodeFs: HostFs = fs;
