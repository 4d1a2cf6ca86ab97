import type { Bytes } from './bytes.js';

/** Reads a part of a picture: its head, or the next segment of a JPEG. */
type Read = (start: number, length: number) => Promise<DataView>;

/**
 * The maximum number of segments of a JPEG that are searched: one with a large colour profile has some
 * dozens.
 */
const MAX_SEGMENTS = 1_000;

const SIZES: { readonly [type: string]: (read: Read) => Promise<readonly [number, number]> } = {
  async 'image/png'(read) {
    const head = await read(16, 8);
    return [head.getUint32(0), head.getUint32(4)];
  },
  async 'image/gif'(read) {
    const head = await read(6, 4);
    return [head.getUint16(0, true), head.getUint16(2, true)];
  },
  async 'image/webp'(read) {
    const head = await read(12, 18);
    const form = head.getUint8(3);
    // “VP8 ”, “VP8L” and “VP8X”.
    if (form === 0x20)
      return [head.getUint16(14, true) & 0x3fff, head.getUint16(16, true) & 0x3fff];
    const bits = head.getUint32(form === 0x4c ? 9 : 12, true);
    if (form === 0x4c) return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
    return [(bits & 0xffffff) + 1, (head.getUint32(14, true) >>> 8) + 1];
  },
  async 'image/jpeg'(read) {
    for (let at = 2, count = 0; count < MAX_SEGMENTS; count += 1) {
      const segment = await read(at, 9);
      const kind = segment.getUint8(1);
      if (segment.getUint8(0) !== 0xff) break;
      // A start of frame; C4, C8 and CC have other meanings.
      if (kind >= 0xc0 && kind <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(kind))
        return [segment.getUint16(7), segment.getUint16(5)];
      // A marker may begin with more than one FF.
      at += kind === 0xff ? 1 : 2 + segment.getUint16(2);
    }
    return [0, 0];
  },
};

/** The longer side of a picture in pixels, by its own header; 0 if it has none. */
export async function pixelsOf(bytes: Bytes, type: string): Promise<number> {
  const read: Read = async (start, length) => {
    const part = bytes.slice(start, start + length);
    const buffer = part instanceof Blob ? await part.arrayBuffer() : part.buffer;
    return new DataView(buffer);
  };
  try {
    const [width, height] = await SIZES[type]!(read);
    return width > 0 && height > 0 ? Math.max(width, height) : 0;
  } catch {
    // The bytes end before the size.
    return 0;
  }
}
