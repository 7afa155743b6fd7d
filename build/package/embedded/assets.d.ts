/** What the build has put into the executable; the loader answers this import. */
declare module "todo:assets" {
  /**
   * The bytes of an asset. They are a part of the executable, mapped into memory: read only.
   *
   * @throws Error with `code` ENOENT when the build has put none in under that name
   */
  export function readAsset(name: string): Uint8Array<ArrayBuffer>;

  /** The text of an asset. */
  export function readText(name: string): string;

  /** The program of a thread of its own that runs an entry of the bundle. */
  export function threadSource(entry: string): string;
}
