/** Typed access to the memory of a WebAssembly instance. Pointers are byte offsets. */
export interface WasmMemory {
  /** The current bytes; invalid after the next call into WebAssembly, which may grow the memory. */
  bytes(): Buffer;
  view(): DataView;
  /** Text up to its terminating zero byte. */
  cString(pointer: number): string;
  /** Makes the memory at least so many bytes large; false when there is no room. */
  grow(byteLength: number): boolean;
}

const PAGE = 65_536;

/** Fewer, larger steps: each one invalidates every view. */
const GROWTH_STEP = 16 * PAGE;

/** Views of the memory that are made anew whenever it has grown. */
export function createWasmMemory(memory: WebAssembly.Memory): WasmMemory {
  let bytes = Buffer.from(memory.buffer);
  let view = new DataView(memory.buffer);

  function refresh(): void {
    if (bytes.buffer === memory.buffer) return;
    bytes = Buffer.from(memory.buffer);
    view = new DataView(memory.buffer);
  }

  return {
    bytes() {
      refresh();
      return bytes;
    },
    view() {
      refresh();
      return view;
    },
    cString(pointer) {
      refresh();
      return bytes.toString("utf8", pointer, bytes.indexOf(0, pointer));
    },
    grow(byteLength) {
      const wanted = Math.ceil(byteLength / GROWTH_STEP) * GROWTH_STEP;
      try {
        memory.grow((wanted - memory.buffer.byteLength) / PAGE);
        return true;
      } catch {
        return false;
      }
    },
  };
}
