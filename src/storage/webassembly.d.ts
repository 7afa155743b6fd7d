// Node has WebAssembly, but its types are only part of the DOM's, which this program does not have.
declare namespace WebAssembly {
  interface ModuleImportDescriptor {
    module: string;
    name: string;
    kind: string;
  }
  class Module {
    constructor(bytes: Uint8Array<ArrayBuffer>);
    static imports(module: Module): ModuleImportDescriptor[];
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, unknown>>);
    readonly exports: Record<string, unknown>;
  }
  interface Memory {
    readonly buffer: ArrayBuffer;
    /** By pages of 64 KiB; throws when it cannot. */
    grow(pages: number): number;
  }
  class RuntimeError extends Error {}
}
