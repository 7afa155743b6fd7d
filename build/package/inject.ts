import sea from "@yao-pkg/pkg/lib-es5/sea.js";
import type { Injection } from "./executable.ts";

/**
 * Runs under the Node that goes into the executables, because pkg needs a newer one than we do.
 * pkg's command line drops the settings of Node's single executable applications; the function
 * that it calls does not.
 */
const { target, config } = JSON.parse(process.argv[2]!) as Injection;
const pack = sea as unknown as {
  default: (main: string, options: object) => Promise<void>;
};
await pack.default(process.argv[1]!, { targets: [target], seaConfig: config });
