import type { BigIntStats } from "node:fs";

import { ENOSYS, errnoOf, systemError } from "./errno.ts";
import type { HostFiles, SeekOrigin } from "./host-files.ts";
import type { WasmMemory } from "./wasm-memory.ts";

/** A function that WebAssembly calls; 64-bit integers come as bigint. */
type HostFunction = (...args: never[]) => number | void;
type HostFunctions = Record<string, HostFunction>;

/** The functions of the C library that SQLite's module imports, by module and name. */
export type HostImports = Record<"env" | "wasi_snapshot_preview1", HostFunctions>;

// Numbers of musl, the C library that SQLite is compiled with; they are not the host's.
const O_WRITE = 0o3;
const O_CREAT = 0o100;
const O_EXCL = 0o200;
const F_GETFD = 1;
const F_SETFD = 2;
const F_GETLK = 12;
const F_SETLK = 13;
const F_SETLKW = 14;
const F_UNLCK = 2;
const REALTIME = 0;
const seekOrigins: readonly SeekOrigin[] = ["start", "position", "end"];

/** Any user but root, for whom SQLite would hand new files over to the database's owner. */
const USER_ID = 1;

/** A 32-bit module can address more, but nothing here needs it. */
const MAX_MEMORY = 2 ** 31;

/**
 * SQLite's imports over a folder's files.
 *
 * No exception may cross WebAssembly: it would skip SQLite's clean-up and leave it in a state from
 * which commits are lost. So every file function answers an error number, whatever happens in it;
 * only an abort of the module itself throws, and the database is not used again.
 *
 * @param memory the instance's memory, which exists only once these imports do.
 */
export function createHostImports(files: HostFiles, memory: () => WasmMemory): HostImports {
  /** A system call of musl: a result, or a negative error number. */
  function syscall<Args extends unknown[]>(call: (...args: Args) => number | void) {
    return (...args: Args): number => {
      try {
        return call(...args) ?? 0;
      } catch (error) {
        return -errnoOf(error);
      }
    };
  }

  /** A function of WASI: zero, or an error number. */
  function wasi<Args extends unknown[]>(call: (...args: Args) => void) {
    return (...args: Args): number => {
      try {
        call(...args);
        return 0;
      } catch (error) {
        return errnoOf(error);
      }
    };
  }

  /** Moves bytes between a file and the buffers of an array of (pointer, length). */
  function transfer(
    move: (fd: number, buffer: Uint8Array) => number,
    ...[fd, buffers, count, result]: [number, number, number, number]
  ): void {
    const view = memory().view();
    let total = 0;
    for (let entry = buffers; entry < buffers + count * 8; entry += 8) {
      const pointer = view.getUint32(entry, true);
      const length = view.getUint32(entry + 4, true);
      const moved = move(
        fd,
        memory()
          .bytes()
          .subarray(pointer, pointer + length),
      );
      total += moved;
      if (moved < length) break;
    }
    view.setUint32(result, total, true);
  }

  const statPath = syscall((path: number, result: number) =>
    writeStat(memory().view(), result, files.statPath(memory().cString(path))),
  );
  const unused = () => -ENOSYS;

  return {
    env: {
      __syscall_openat: syscall((_folder: number, path: number, flags: number) =>
        files.open(memory().cString(path), {
          write: (flags & O_WRITE) !== 0,
          create: (flags & O_CREAT) !== 0,
          exclusive: (flags & O_EXCL) !== 0,
        }),
      ),
      __syscall_fstat64: syscall((fd: number, result: number) =>
        writeStat(memory().view(), result, files.stat(fd)),
      ),
      // There are no symbolic links in this file system, so the two are one.
      __syscall_stat64: statPath,
      __syscall_lstat64: statPath,
      __syscall_newfstatat: syscall((_folder: number, path: number, result: number) =>
        statPath(path, result),
      ),
      __syscall_faccessat: syscall((_folder: number, path: number, mode: number) =>
        files.access(memory().cString(path), mode),
      ),
      __syscall_unlinkat: syscall((_folder: number, path: number) =>
        files.remove(memory().cString(path)),
      ),
      __syscall_ftruncate64: syscall((fd: number, length: bigint) =>
        files.truncate(fd, Number(length)),
      ),
      __syscall_fcntl64: syscall((_fd: number, command: number, args: number) => {
        if (command === F_GETLK) {
          const lock = memory().view().getUint32(args, true);
          memory().view().setInt16(lock, F_UNLCK, true);
          return 0;
        }
        // The folder has one process and SQLite one connection: locks are always free.
        if ([F_GETFD, F_SETFD, F_SETLK, F_SETLKW].includes(command)) return 0;
        throw systemError("EINVAL");
      }),
      __syscall_getcwd: syscall((buffer: number, size: number) => {
        if (size < 2) throw systemError("EINVAL");
        return memory().bytes().write("/\0", buffer);
      }),
      __syscall_geteuid32: () => USER_ID,
      __syscall_chmod: unused,
      __syscall_fchmod: unused,
      __syscall_fchown32: unused,
      __syscall_mkdirat: unused,
      __syscall_readlinkat: unused,
      __syscall_rmdir: unused,
      __syscall_utimensat: unused,
      _mmap_js: unused,
      _munmap_js: unused,
      // SQL's local time does not work, and is not missed: times are kept in UTC.
      _tzset_js: () => {},
      _localtime_js: () => 1,
      emscripten_date_now: () => Date.now(),
      emscripten_get_now: () => performance.now(),
      emscripten_get_heap_max: () => MAX_MEMORY,
      emscripten_resize_heap: (size: number) =>
        size >>> 0 <= MAX_MEMORY && memory().grow(size >>> 0) ? 1 : 0,
      warnLegacyFunction: () => {},
      _abort_js: () => abort("abort"),
      __assert_fail: (condition: number) => abort(`assertion ${memory().cString(condition)}`),
      __handle_stack_overflow: () => abort("stack overflow"),
    },
    wasi_snapshot_preview1: {
      fd_close: wasi((fd: number) => files.close(fd)),
      fd_read: wasi((fd: number, buffers: number, count: number, result: number) =>
        transfer(files.read, fd, buffers, count, result),
      ),
      fd_write: wasi((fd: number, buffers: number, count: number, result: number) =>
        transfer(files.write, fd, buffers, count, result),
      ),
      fd_seek: wasi((fd: number, offset: bigint, whence: number, result: number) => {
        const origin = seekOrigins[whence];
        if (origin === undefined) throw systemError("EINVAL");
        const position = files.seek(fd, Number(offset), origin);
        memory().view().setBigInt64(result, BigInt(position), true);
      }),
      fd_sync: wasi((fd: number) => files.sync(fd)),
      fd_fdstat_get: () => ENOSYS,
      environ_sizes_get: wasi((count: number, byteLength: number) => {
        memory().view().setUint32(count, 0, true);
        memory().view().setUint32(byteLength, 0, true);
      }),
      environ_get: () => 0,
      clock_time_get: wasi((clock: number, _precision: bigint, result: number) => {
        const milliseconds = clock === REALTIME ? Date.now() : performance.now();
        const nanoseconds = BigInt(Math.round(milliseconds * 1000)) * 1000n;
        memory().view().setBigInt64(result, nanoseconds, true);
      }),
    },
  };
}

function abort(reason: string): never {
  throw new WebAssembly.RuntimeError(`SQLite aborted: ${reason}`);
}

/** Writes musl's `struct stat`. */
function writeStat(view: DataView, at: number, stat: BigIntStats): void {
  const low = (value: bigint): number => Number(BigInt.asUintN(32, value));
  view.setUint32(at, low(stat.dev), true);
  view.setUint32(at + 4, low(stat.mode), true);
  view.setUint32(at + 8, low(stat.nlink), true);
  view.setUint32(at + 12, low(stat.uid), true);
  view.setUint32(at + 16, low(stat.gid), true);
  view.setUint32(at + 20, low(stat.rdev), true);
  view.setBigInt64(at + 24, stat.size, true);
  view.setInt32(at + 32, 4096, true);
  view.setInt32(at + 36, low(stat.blocks), true);
  for (const [offset, time] of [
    [40, stat.atimeNs],
    [56, stat.mtimeNs],
    [72, stat.ctimeNs],
  ] as const) {
    view.setBigInt64(at + offset, time / 1_000_000_000n, true);
    view.setInt32(at + offset + 8, Number(time % 1_000_000_000n), true);
  }
  view.setBigUint64(at + 88, BigInt.asUintN(64, stat.ino), true);
}
