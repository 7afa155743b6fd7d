/** Bytes that can grow. What is beyond the size counts as zeros. */
export interface Bytes {
  buffer: Buffer;
  size: number;
  /** What {@link contentOf} answered since the last change. */
  content?: Buffer | undefined;
}

/** A change of a file that the system has not been told to keep, or has not kept yet. */
export type FileChange =
  | { kind: "write"; at: number; bytes: Buffer }
  | { kind: "size"; size: number };

/** Makes a change in a file's bytes. */
export function applyChange(bytes: Bytes, fileChange: FileChange): void {
  if (fileChange.kind === "size") return resize(bytes, fileChange.size);
  const end = fileChange.at + fileChange.bytes.length;
  resize(bytes, Math.max(bytes.size, end));
  bytes.content = undefined;
  fileChange.bytes.copy(bytes.buffer, fileChange.at);
}

/** Cuts bytes, or lets them grow by zeros. */
export function resize(bytes: Bytes, size: number): void {
  if (size > bytes.buffer.length) {
    const buffer = Buffer.alloc(Math.max(size, bytes.size * 2));
    bytes.buffer.copy(buffer, 0, 0, bytes.size);
    bytes.buffer = buffer;
  }
  if (size < bytes.size) bytes.buffer.fill(0, size, bytes.size);
  if (size !== bytes.size) bytes.content = undefined;
  bytes.size = size;
}

/** A copy that can be changed. */
export function copyOf(bytes: Bytes): Bytes {
  return { buffer: Buffer.from(contentOf(bytes)), size: bytes.size };
}

/** The bytes as they are now: the same buffer until {@link applyChange} or {@link resize}. */
export function contentOf(bytes: Bytes): Buffer {
  return (bytes.content ??= bytes.buffer.subarray(0, bytes.size));
}
