import type { Slices } from '../../../reading/slices.js';

/** A number in the form of the text, because JavaScript would write it differently. */
export interface RawNumber {
  readonly rawJSON: string;
}

/** The parts of `JSON` that are not yet in the library types: Chromium 114, Firefox 135, Safari 18.4. */
type Raw = typeof JSON & {
  rawJSON?: (source: string) => RawNumber;
  isRawJSON?: (value: unknown) => value is RawNumber;
};

/** A line of JSON Lines that is not JSON. */
export class BrokenLine {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Returns the line as it is, for a copy together with others. */
  toJSON(): string {
    return this.text;
  }
}

/** The sign of a number that JavaScript may not keep. */
const UNUSUAL = /[\d.]{16}|\d[eE]|-0|\.\d*0(?!\d)/;

/** The maximum length of a text with such numbers, because it takes long to give each of them its source. */
const MAX_EXACT_LENGTH = 131_072;

/**
 * The value of a JSON text. Numbers that JavaScript does not keep exactly stay as they are written, if the
 * browser provides their source.
 *
 * @throws {SyntaxError} for a text that is not JSON.
 * @throws {RangeError} for a text that is too deep or too long.
 * @throws {TypeError} for an object with a key twice, of which JavaScript would keep only the last one.
 */
export function parseJson(text: string): unknown {
  const value = parseNumbers(text);
  if (keysIn(value) !== keysWritten(text)) throw new TypeError('A key is there twice.');
  return value;
}

/** The number of keys of all objects in a value. */
function keysIn(root: unknown): number {
  let count = 0;
  const queue = [root];
  for (const value of queue) {
    if (!isContainer(value)) continue;
    if (!Array.isArray(value)) count += Object.keys(value).length;
    for (const one of Object.values(value)) if (isContainer(one)) queue.push(one);
  }
  return count;
}

function keysWritten(text: string): number {
  let count = 0;
  for (const [, colon] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"\s*(:)?/g)) if (colon) count += 1;
  return count;
}

function parseNumbers(text: string): unknown {
  const { rawJSON } = JSON as Raw;
  if (!rawJSON || !UNUSUAL.test(text)) return JSON.parse(text);
  if (text.length > MAX_EXACT_LENGTH) throw new RangeError('The numbers are too many.');
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
    const source = context?.source;
    if (typeof value !== 'number' || source === undefined) return value;
    return String(value) === source ? value : rawJSON(source);
  });
}

/** The values of JSON Lines, one for each line. */
export async function parseJsonLines(text: string, slices: Slices): Promise<unknown[]> {
  const values: unknown[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    await slices.next();
    try {
      values.push(parseJson(line));
    } catch {
      values.push(new BrokenLine(line.trim()));
    }
  }
  return values;
}

/** The parts of JSON. Group 1 is there if the part is whole; otherwise it matches as far as it is right. */
const STRING = /"[ !#-[\]-\uFFFF]*(?:\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})[ !#-[\]-\uFFFF]*)*(")?/y;
const SCALAR =
  /(true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)|t(?:ru?)?|f(?:a(?:ls?)?)?|n(?:ul?)?|-/y;
const SPACE = /[ \t\r\n]*/y;

/** The place at which a text is not JSON, from 1. Not every browser names it in its error. */
export function placeOfError(text: string): { line: number; column: number } {
  const lines = text.slice(0, endOfJson(text)).split('\n');
  return { line: lines.length, column: lines.at(-1)!.length + 1 };
}

/** The index of the first character that is wrong; the length of the text if only its end is missing. */
function endOfJson(text: string): number {
  /** The signs that close the arrays and objects around the index. */
  const closing: string[] = [];
  let wants: 'value' | 'first' | 'key' | 'colon' | 'next' = 'value';
  let at = 0;
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const [part = '', whole] = pattern.exec(text) ?? [];
    at += part.length;
    return whole !== undefined;
  };
  for (;;) {
    take(SPACE);
    const sign = text.charAt(at);
    const isInObject = closing.at(-1) === '}';
    const wantsKey: boolean = wants === 'key' || (wants === 'first' && isInObject);
    if ((wants === 'first' || wants === 'next') && sign === closing.at(-1)) {
      closing.pop();
      wants = 'next';
    } else if (wants === 'next') {
      if (sign !== ',' || closing.length === 0) return at;
      wants = isInObject ? 'key' : 'value';
    } else if (wants === 'colon') {
      if (sign !== ':') return at;
      wants = 'value';
    } else if (!wantsKey && (sign === '[' || sign === '{')) {
      closing.push(sign === '[' ? ']' : '}');
      wants = 'first';
    } else {
      if (wantsKey && sign !== '"') return at;
      if (!take(sign === '"' ? STRING : SCALAR)) return at;
      wants = wantsKey ? 'colon' : 'next';
      continue;
    }
    at += 1;
  }
}

/** A value with entries. */
export type Container = readonly unknown[] | { readonly [key: string]: unknown };

export function isContainer(value: unknown): value is Container {
  return (
    typeof value === 'object' &&
    value !== null &&
    !(value instanceof BrokenLine) &&
    !(JSON as Raw).isRawJSON?.(value)
  );
}

/** The number of entries of a value. */
export function sizeOf(value: Container): number {
  return Array.isArray(value) ? value.length : Object.keys(value).length;
}

/** The first entries of a value. */
export function entriesOf(value: Container, limit: number): [name: string | number, unknown][] {
  if (Array.isArray(value)) return [...value.slice(0, limit).entries()];
  const keys = Object.keys(value).slice(0, limit);
  return keys.map((key) => [key, (value as { [key: string]: unknown })[key]]);
}

/** A value without entries in the form in which it is written. */
export function sourceOf(value: unknown): string {
  return value instanceof BrokenLine ? value.text : JSON.stringify(value);
}

/** The address of an entry as a JSON Pointer (RFC 6901), such as `/users/0/name`; '' for the root. */
export function pointerTo(pointer: string, name: string | number): string {
  return `${pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
