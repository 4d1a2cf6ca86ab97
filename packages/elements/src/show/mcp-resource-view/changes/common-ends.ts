import type { Slices } from '../../../reading/slices.js';

/** How much text is compared at once, in UTF-16 code units. */
const BLOCK = 65_536;

/** How far a line is followed to its beginning or its end, in UTF-16 code units. */
const MAX_LINE = 1_000;

/** How much is the same at the beginning, up to a line or a good part of it. */
export async function commonStart(a: string, b: string, slices: Slices): Promise<number> {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a.slice(at, at + BLOCK) === b.slice(at, at + BLOCK)) {
    at += BLOCK;
    await slices.next();
  }
  at = Math.min(at, most);
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  const lowest = Math.max(0, at - MAX_LINE);
  while (at > lowest && a[at - 1] !== '\n') at -= 1;
  return at;
}

/** How much is the same at the end, likewise, beside the same beginning. */
export async function commonEnd(
  a: string,
  b: string,
  start: number,
  slices: Slices,
): Promise<number> {
  const most = Math.min(a.length, b.length) - start;
  const before = (text: string, length: number): string =>
    text.slice(Math.max(start, text.length - length - BLOCK), text.length - length);
  let length = 0;
  while (length + BLOCK <= most && before(a, length) === before(b, length)) {
    length += BLOCK;
    await slices.next();
  }
  const isSame = (): boolean =>
    a.charCodeAt(a.length - length - 1) === b.charCodeAt(b.length - length - 1);
  while (length < most && isSame()) length += 1;
  const lowest = Math.max(0, length - MAX_LINE);
  while (length > lowest && a[a.length - length - 1] !== '\n') length -= 1;
  return length;
}
