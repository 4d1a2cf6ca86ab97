import { crc32 } from '../../packages/store/src/archive/crc32.js';

/** An entry of an archive that is built by hand; what is given is claimed, whether true or not. */
export interface BuiltEntry {
  name: string | Uint8Array;
  /** What it is to become. Default: no bytes. */
  content?: Uint8Array;
  /** The content in deflated form, which is then what the archive has. */
  deflated?: Uint8Array;
  method?: number;
  flags?: number;
  crc?: number;
  /** The size that is claimed. */
  size?: number;
  /** Where it is claimed to be. */
  offset?: number;
  /** Whether sizes and place are in an extra field. */
  zip64?: boolean;
  /** Further extra fields of the directory. */
  extra?: Uint8Array;
  /** The system that made it: 0 is Windows, 3 is Unix. Default: Windows. */
  system?: number;
  /** What that system keeps of a file; of Unix its mode, in the upper half. */
  attributes?: number;
}

/** An archive, entry by entry, of which each may be wrong. */
export function buildZip(
  entries: readonly BuiltEntry[],
  {
    comment = '',
    zip64 = false,
    prefix = '',
  }: { comment?: string; zip64?: boolean; prefix?: string } = {},
): Blob {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let position = 0;
  for (const entry of entries) {
    const { content = new Uint8Array(), deflated } = entry;
    const name = typeof entry.name === 'string' ? bytesOf(entry.name) : entry.name;
    const kept = deflated ?? content;
    const size = entry.size ?? content.length;
    const at = entry.offset ?? position;
    const isLarge = entry.zip64 ?? at > 0xff_ff_ff_ff;
    const flags = entry.flags ?? 0x0800;
    const method = entry.method ?? (deflated ? 8 : 0);
    const common = fields([
      [2, flags],
      [2, method],
      [4, 0],
      [4, entry.crc ?? crc32(content)],
      [4, isLarge ? 0xff_ff_ff_ff : kept.length],
      [4, isLarge ? 0xff_ff_ff_ff : size],
      [2, name.length],
    ]);
    const local = fields([
      [4, 0x04_03_4b_50],
      [2, 45],
    ]);
    parts.push(local, common, fields([[2, 0]]), name, kept);
    const extra = fields([
      [2, 1],
      [2, 24],
      [8, size],
      [8, kept.length],
      [8, at],
    ]);
    const extras = [...(isLarge ? [extra] : []), ...(entry.extra ? [entry.extra] : [])];
    directory.push(
      fields([
        [4, 0x02_01_4b_50],
        [2, ((entry.system ?? 0) << 8) | 45],
        [2, 45],
      ]),
      common,
      fields([
        [2, extras.reduce((sum, { length }) => sum + length, 0)],
        [2, 0],
        [2, 0],
        [2, 0],
        [4, entry.attributes ?? 0],
        [4, isLarge ? 0xff_ff_ff_ff : at],
      ]),
      name,
      ...extras,
    );
    position += 30 + name.length + kept.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const large = fields([
    [4, 0x06_06_4b_50],
    [8, 44],
    [2, 45],
    [2, 45],
    [4, 0],
    [4, 0],
    [8, entries.length],
    [8, entries.length],
    [8, size],
    [8, position],
    [4, 0x07_06_4b_50],
    [4, 0],
    [8, position + size],
    [4, 1],
  ]);
  const commentBytes = bytesOf(comment);
  const end = fields([
    [4, 0x06_05_4b_50],
    [4, 0],
    [2, zip64 ? 0xff_ff : entries.length],
    [2, zip64 ? 0xff_ff : entries.length],
    [4, zip64 ? 0xff_ff_ff_ff : size],
    [4, zip64 ? 0xff_ff_ff_ff : position],
    [2, commentBytes.length],
  ]);
  const records = [...directory, ...(zip64 ? [large] : []), end, commentBytes];
  const all = [bytesOf(prefix), ...parts, ...records];
  return new Blob(all as Uint8Array<ArrayBuffer>[], { type: 'application/zip' });
}

/** A text in UTF-8. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** The extra field that has a name in UTF-8 (0x7075), for a name in another encoding. */
export function unicodePath(name: string, other: Uint8Array): Uint8Array {
  const utf8 = bytesOf(name);
  const head = fields([
    [2, 0x70_75],
    [2, 5 + utf8.length],
  ]);
  return Uint8Array.of(...head, 1, ...fields([[4, crc32(other)]]), ...utf8);
}

/** Bytes as another program would put them into an archive. */
export async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Numbers one after the other, little-endian, each with its length in bytes. */
function fields(values: readonly (readonly [length: 2 | 4 | 8, value: number])[]): Uint8Array {
  const bytes = new Uint8Array(values.reduce((sum, [length]) => sum + length, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [length, value] of values) {
    if (length === 2) view.setUint16(at, value, true);
    else if (length === 4) view.setUint32(at, value, true);
    else view.setBigUint64(at, BigInt(value), true);
    at += length;
  }
  return bytes;
}
