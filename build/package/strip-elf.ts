/** Offsets in a 64-bit ELF file header and in a section header: `man 5 elf`. */
const header = { sectionsAt: 0x28, sectionSize: 0x3a, sectionCount: 0x3c, namesIndex: 0x3e };
const section = { type: 4, flags: 8, offset: 24, size: 32 };

const types = { nothing: 0, inMemoryOnly: 8 };
const isLoaded = 2n;

/**
 * A program without what only debuggers and linkers read: the sections that are never loaded into
 * memory (symbols, debug information), which stand behind all others. What is loaded keeps its
 * place, byte for byte. Does what `strip` does, for every processor and without binutils.
 *
 * @param file a 64-bit little-endian ELF file
 * @throws Error when it is not one, or is laid out in another way
 */
export function stripElf(file: Buffer): Buffer {
  if (file.readUInt32BE(0) !== 0x7f454c46 || file[4] !== 2 || file[5] !== 1) {
    throw new Error("The file is no 64-bit little-endian ELF program.");
  }
  const size = file.readUInt16LE(header.sectionSize);
  const start = Number(file.readBigUInt64LE(header.sectionsAt));
  const sections = Array.from({ length: file.readUInt16LE(header.sectionCount) }, (_, index) =>
    Buffer.from(file.subarray(start + index * size, start + (index + 1) * size)),
  );
  const namesIndex = file.readUInt16LE(header.namesIndex);
  const names = sections[namesIndex]!;
  const kept = sections.filter(isKept);
  const end = Math.max(...kept.map(endInFile));
  // Then those that are kept also keep their numbers, by which they refer to each other.
  const inOrder = sections.slice(kept.length).every((each) => offsetOf(each) >= end);
  if (!inOrder || !sections.slice(0, kept.length).every(isKept)) {
    throw new Error("The program's symbols do not stand behind what is loaded.");
  }
  const nameBytes = file.subarray(offsetOf(names), offsetOf(names) + sizeOf(names));
  names.writeBigUInt64LE(BigInt(end), section.offset);
  const body = Buffer.concat([file.subarray(0, end), nameBytes]);
  const padding = Buffer.alloc(-body.length & 7);
  body.writeBigUInt64LE(BigInt(body.length + padding.length), header.sectionsAt);
  body.writeUInt16LE(kept.length + 1, header.sectionCount);
  body.writeUInt16LE(kept.length, header.namesIndex);
  return Buffer.concat([body, padding, ...kept, names]);
}

function isKept(each: Buffer): boolean {
  const type = each.readUInt32LE(section.type);
  return type === types.nothing || (each.readBigUInt64LE(section.flags) & isLoaded) !== 0n;
}

function offsetOf(each: Buffer): number {
  return Number(each.readBigUInt64LE(section.offset));
}

function sizeOf(each: Buffer): number {
  return Number(each.readBigUInt64LE(section.size));
}

function endInFile(each: Buffer): number {
  const hasBytes = each.readUInt32LE(section.type) !== types.inMemoryOnly;
  return offsetOf(each) + (hasBytes ? sizeOf(each) : 0);
}
