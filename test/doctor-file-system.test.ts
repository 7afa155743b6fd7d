import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkFileSystem } from "../src/cli/doctor/file-system.ts";

const others: [number, RegExp][] = [
  [0x6969, /is NFS/],
  [0xff534d42, /is SMB/],
  // The same number where the system's is signed.
  [0xff534d42 - 2 ** 32, /is SMB/],
  [0xfe534d42, /is SMB/],
  [0x01021997, /is 9p, a folder of another system/],
  [0x65735546, /may be on another machine \(sshfs/],
];

const local = {
  ext: 0xef53,
  XFS: 0x58465342,
  Btrfs: 0x9123683e,
  tmpfs: 0x01021994,
  ZFS: 0x2fc12fc1,
};

describe("todo doctor, of the file system of a data folder,", () => {
  for (const [type, says] of others) {
    test(`warns of ${type}, and says what is promised there`, () => {
      const [finding, ...more] = checkFileSystem(type, "linux");
      assert.deepEqual(more, []);
      assert.equal(finding?.status, "warning");
      assert.match(finding.message, says);
      assert.match(finding.advice ?? "", /Use a local disk.*nothing is promised/);
    });
  }

  test("says nothing of local ones", () => {
    for (const [name, type] of Object.entries(local)) {
      assert.deepEqual(checkFileSystem(type, "linux"), [], name);
    }
  });

  test("says nothing where the numbers mean something else", () => {
    for (const platform of ["darwin", "win32"] as const) {
      assert.deepEqual(checkFileSystem(0x6969, platform), []);
    }
  });
});
