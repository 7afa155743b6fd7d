import { type Finding, findingsOf } from "./finding.ts";

/** Linux's numbers for file systems that are, or may be, of another machine (statfs(2)). */
const fileSystems = new Map([
  [0x6969, "is NFS"],
  [0x517b, "is SMB"],
  [0xff534d42, "is SMB"],
  [0xfe534d42, "is SMB"],
  [0x00c36400, "is Ceph"],
  [0x5346414f, "is AFS"],
  [0x6b414653, "is AFS"],
  [0x01021997, "is 9p, a folder of another system (WSL, or the host of a virtual machine)"],
  [0x65735546, "is made by a program (FUSE), and may be on another machine (sshfs, for instance)"],
]);

/**
 * Warns when a data folder is not on a disk of this machine. Only Linux says so: elsewhere, and of
 * what is not known, nothing is found.
 *
 * @param type as `fs.statfs` gives it, which is negative where the system's number is a signed one
 */
export function checkFileSystem(type: number, platform = process.platform): Finding[] {
  // oxlint-disable-next-line no-bitwise -- as an unsigned number of 32 bits
  const kind = platform === "linux" ? fileSystems.get(type >>> 0) : undefined;
  if (kind === undefined) return [];
  const text = `Its file system ${kind}.`;
  const advice =
    "Use a local disk: on a network file system nothing is promised. See `todo help data-safety`.";
  return [findingsOf("disk").warning(text, advice)];
}
