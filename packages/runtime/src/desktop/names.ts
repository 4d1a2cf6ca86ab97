import { MAX_NAME_LENGTH } from './wire.js';

/**
 * A name from the bridge, in one line that is safe to show: without control characters, and without
 * those that change the direction of text. At most 100 UTF-16 code units.
 */
export function nameIn(value: unknown): string {
  const text = typeof value === 'string' ? value.slice(0, MAX_NAME_LENGTH) : '';
  return text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim();
}
