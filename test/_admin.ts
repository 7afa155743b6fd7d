import type { Flags } from "../src/cli/flags.ts";
import { type AdminInstance, openAdmin } from "../src/cli/instance/admin-instance.ts";

/** The administration of a data folder, as commands reach it. */
export async function adminOf(folder: string): Promise<AdminInstance & AsyncDisposable> {
  const flags = { data: folder, debug: false, timeout: 60 } as Flags;
  const admin = await openAdmin(flags, { creates: true });
  return { ...admin, [Symbol.asyncDispose]: () => admin.close() };
}
