import type { Slices } from '../../../reading/slices.js';
import { MAX_ROWS } from '../reading.js';

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;

/** How much of a row is read, in UTF-16 code units. */
const MAX_ROW_LENGTH = 262_144;

/** A field is kept up to this length, in UTF-16 code units. */
const MAX_FIELD_LENGTH = 1_000;

/** How many rows, and how many code units, are read between two looks at the clock. */
const ROWS_PER_STEP = 200;

/** How much of a text is looked at to find its separator, in UTF-16 code units and in rows. */
const SAMPLE_LENGTH = 65_536;
const SAMPLE_ROWS = 50;

/** What separates fields; of two that do so equally well the first one counts. */
const SEPARATORS = [',', ';', '\t', '|'];

/** The first line by which spreadsheets are told the separator. */
const SEPARATOR_LINE = /^\uFEFF?"?sep=([^\r\n"])"?[,;\t]*(?:\r\n?|\n|$)/i;

/** What ends fields and rows. */
interface Dialect {
  separator: string;
  /** The character code of a line end, which may have CR before it. */
  lineEnd: number;
}

/** Where the rows of a text with separated values begin and end. */
export interface Rows extends Dialect {
  text: string;
  starts: readonly number[];
  ends: readonly number[];
  /** Whether the text goes on after the last row. */
  isCut: boolean;
}

/**
 * Finds the rows (RFC 4180), without the empty ones, and the separator. A quote opens a field only at its beginning, so
 * that `5" pipe` is a field like any other. Where a row is too long, because a quote is never closed,
 * its first line is the row.
 *
 * @param knownSeparator Default: the one that separates the first rows best.
 */
export async function readRows(
  text: string,
  knownSeparator: string | undefined,
  isCut: boolean,
  slices: Slices,
): Promise<Rows> {
  const starts: number[] = [];
  const ends: number[] = [];
  const [line = '', named] = SEPARATOR_LINE.exec(text.slice(0, 20)) ?? [];
  let start = line.length || (text.startsWith('\uFEFF') ? 1 : 0);
  const sample = text.slice(start, start + SAMPLE_LENGTH);
  const lineEnd = sample.includes('\n') ? LINE_FEED : RETURN;
  const separator = named ?? knownSeparator ?? findSeparator(sample, lineEnd);
  const dialect = { separator, lineEnd };
  let lengthSincePause = 0;
  while (start < text.length && starts.length < MAX_ROWS) {
    if (starts.length % ROWS_PER_STEP === 0 || lengthSincePause > MAX_ROW_LENGTH) {
      await slices.next();
      lengthSincePause = 0;
    }
    const next = endOfRow(text, dialect, start);
    const end = withoutBreak(text, start, next);
    lengthSincePause += next - start;
    if (end > start) {
      starts.push(start);
      ends.push(end);
    }
    start = next;
  }
  return { text, ...dialect, starts, ends, isCut: isCut || start < text.length };
}

/**
 * The separator that gives most of the first rows the same number of fields, and more than one; if
 * there are several, the one that gives the most fields.
 */
function findSeparator(sample: string, lineEnd: number): string {
  let best = { separator: ',', rows: 0, fields: 0 };
  for (const separator of SEPARATORS) {
    const found = mostCommonRow(sample, { separator, lineEnd });
    // A comma that only ever stands between digits is that of numbers.
    const isBetter =
      found.rows > best.rows ||
      (found.rows === best.rows &&
        (found.fields > best.fields || isDecimal(best.separator, sample)));
    if (found.rows > 0 && isBetter) best = { separator, ...found };
  }
  return best.separator;
}

/** The number of fields, above one, that most of the first rows have, and how many these are. */
function mostCommonRow(sample: string, dialect: Dialect): { rows: number; fields: number } {
  const counts = new Map<number, number>();
  let start = 0;
  for (let row = 0; row < SAMPLE_ROWS && start < sample.length; row += 1) {
    const next = endOfRow(sample, dialect, start);
    let fields = 0;
    for (let at = start; at < next; at = endOfField(sample, dialect, at, next) + 1) fields += 1;
    if (fields > 1) counts.set(fields, (counts.get(fields) ?? 0) + 1);
    start = next;
  }
  const [fields, rows] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? [0, 0];
  return { rows, fields };
}

function isDecimal(separator: string, sample: string): boolean {
  return separator === ',' && !/\D,|,\D/.test(sample);
}

/** Where the next row begins. */
function endOfRow(text: string, dialect: Dialect, start: number): number {
  const limit = Math.min(text.length, start + MAX_ROW_LENGTH);
  let at = start;
  for (;;) {
    at = endOfField(text, dialect, at, limit);
    if (at >= limit) return limit === text.length ? limit : endOfLine(text, dialect, start);
    if (text[at] !== dialect.separator) return at + 1;
    at += 1;
  }
}

/** After a row that is too long, which is the line that it begins with. */
function endOfLine(text: string, { lineEnd }: Dialect, start: number): number {
  const end = text.indexOf(String.fromCharCode(lineEnd), start);
  return end === -1 ? text.length : end + 1;
}

/** Where a field ends: at its separator, at the end of the line, or at the limit. */
function endOfField(
  text: string,
  { separator, lineEnd }: Dialect,
  start: number,
  limit: number,
): number {
  let at = start;
  if (text.charCodeAt(at) === QUOTE) at = endOfQuotes(text, at + 1, limit);
  const separatorCode = separator.charCodeAt(0);
  for (; at < limit; at += 1) {
    const code = text.charCodeAt(at);
    if (code === separatorCode || code === lineEnd) return at;
  }
  return limit;
}

/** After the quote that closes a field; two quotes stand for one. */
function endOfQuotes(text: string, start: number, limit: number): number {
  let at = start;
  while (at < limit) {
    if (text.charCodeAt(at) !== QUOTE) at += 1;
    else if (text.charCodeAt(at + 1) === QUOTE) at += 2;
    else return at + 1;
  }
  return limit;
}

function withoutBreak(text: string, start: number, next: number): number {
  let end = next;
  if (end > start && text.charCodeAt(end - 1) === LINE_FEED) end -= 1;
  if (end > start && text.charCodeAt(end - 1) === RETURN) end -= 1;
  return end;
}

/** Some fields of a row. */
export interface Fields {
  fields: string[];
  /** How many fields the row has up to the last one that was asked for. */
  count: number;
}

/**
 * The fields of a row.
 *
 * @param first The first field that is kept.
 * @param end The field after the last one that is read.
 */
export function readFields(rows: Rows, row: number, first: number, end: number): Fields {
  const { text, starts, ends } = rows;
  const start = starts[row] ?? 0;
  const limit = Math.min(ends[row] ?? 0, start + MAX_ROW_LENGTH);
  const fields: string[] = [];
  let count = 0;
  for (let at = start; at <= limit && count < end; count += 1) {
    const fieldEnd = endOfField(text, rows, at, limit);
    if (count >= first) fields.push(fieldOf(text, at, fieldEnd));
    at = fieldEnd + 1;
  }
  return { fields, count };
}

function fieldOf(text: string, start: number, end: number): string {
  if (text.charCodeAt(start) !== QUOTE)
    return text.slice(start, Math.min(end, start + MAX_FIELD_LENGTH));
  const quoted = text.slice(start + 1, Math.min(end, start + 2 * MAX_FIELD_LENGTH));
  // A line end is one on every system.
  return quoted
    .replace(/"$/, '')
    .replaceAll('""', '"')
    .replaceAll(/\r(?!\n)/g, '\n');
}
