import type { Slices } from '../../../reading/slices.js';

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;

/**
 * The maximum number of rows that are shown. Browsers draw nothing below 17 million pixels, and this many
 * rows end above that, even if the user has doubled the size of the text.
 */
const MAX_ROWS = 400_000;

/** The part of a row that is read, in UTF-16 code units. */
const MAX_ROW_LENGTH = 262_144;

/** The maximum length of a field that is kept, in UTF-16 code units. */
const MAX_FIELD_LENGTH = 1_000;

/** The maximum number of columns that are shown. */
const MAX_COLUMNS = 50;

/** The number of rows that are examined to determine the columns. */
const SAMPLE = 100;

/** The number of rows, and of code units, that are read between two checks of the time. */
const ROWS_PER_STEP = 200;

/**
 * The length of the part of a text that is examined to find its separator, in UTF-16 code units and in rows.
 */
const SAMPLE_LENGTH = 65_536;
const SAMPLE_ROWS = 50;

/** The separators of fields; if two fit equally well, the first one counts. */
const SEPARATORS = [',', ';', '\t', '|'];

/** The first line by which a file names its separator to spreadsheets. */
const SEPARATOR_LINE = /^\uFEFF?"?sep=([^\r\n"])"?[,;\t]*(?:\r\n?|\n|$)/i;

/** The minimum and maximum width of a column, in characters. */
const [MIN_WIDTH, MAX_WIDTH] = [4, 36];

/** A number for people: `-1,234.5`, `12 %`, `€ 3`, `1e9`; also an empty field. */
const NUMBER = /^[\s$€£¥+-]*\d[\d\s.,']*(?:[eE][+-]?\d+)?\s*[%$€£¥]?$/;

/** The ends of fields and rows. */
interface Dialect {
  separator: string;
  /** The character code of a line end, before which a CR may stand. */
  lineEnd: number;
}

/** The fields of a row. */
export type Row = readonly string[];

/** The facts of one column, from the first rows. */
export interface Column {
  /** The width in characters. */
  width: number;
  isNumeric: boolean;
}

/** A table, in the form in which it is shown. */
export interface Table {
  rows: readonly Row[];
  columns: readonly Column[];
  /** Whether the first row contains the names of the columns. */
  hasNames: boolean;
  /** Whether the text continues after the last row. */
  isCut: boolean;
  /** Whether rows continue after the last column. */
  isNarrow: boolean;
}

/**
 * Reads rows (RFC 4180), without the empty ones, and finds the separator. A quote opens a field only at its
 * beginning, so that `5" pipe` is a field like any other. If a row is too long because a quote is never
 * closed, its first line is the row.
 *
 * @param knownSeparator The separator. Default: the one that separates the first rows best.
 */
export async function readTable(
  text: string,
  knownSeparator: string | undefined,
  isCut: boolean,
  slices: Slices,
): Promise<Table> {
  const rows: Row[] = [];
  const [line = '', named] = SEPARATOR_LINE.exec(text.slice(0, 20)) ?? [];
  let start = line.length || (text.startsWith('\uFEFF') ? 1 : 0);
  const sample = text.slice(start, start + SAMPLE_LENGTH);
  const lineEnd = sample.includes('\n') ? LINE_FEED : RETURN;
  const dialect = {
    separator: named ?? knownSeparator ?? findSeparator(sample, lineEnd),
    lineEnd,
  };
  let lengthSincePause = 0;
  while (start < text.length && rows.length < MAX_ROWS) {
    if (rows.length % ROWS_PER_STEP === 0 || lengthSincePause > MAX_ROW_LENGTH) {
      await slices.next();
      lengthSincePause = 0;
    }
    const { fields, next } = readRow(text, dialect, start);
    lengthSincePause += next - start;
    if (fields.length > 1 || fields[0] !== '') rows.push(fields);
    start = next;
  }
  return { rows, ...(await columnsOf(rows, slices)), isCut: isCut || start < text.length };
}

/**
 * The separator with which most of the first rows have the same number of fields, and more than one; if there
 * are several, the one with the most fields.
 */
function findSeparator(sample: string, lineEnd: number): string {
  let best = { separator: ',', rows: 0, fields: 0 };
  for (const separator of SEPARATORS) {
    const found = mostCommonRow(sample, { separator, lineEnd });
    // A comma that only occurs between digits belongs to numbers.
    const isBetter =
      found.rows > best.rows ||
      (found.rows === best.rows &&
        (found.fields > best.fields || isDecimal(best.separator, sample)));
    if (found.rows > 0 && isBetter) best = { separator, ...found };
  }
  return best.separator;
}

/** The number of fields, above one, that most of the first rows have, and the number of these rows. */
function mostCommonRow(sample: string, dialect: Dialect): { rows: number; fields: number } {
  const counts = new Map<number, number>();
  let start = 0;
  for (let row = 0; row < SAMPLE_ROWS && start < sample.length; row += 1) {
    const { fields, next } = readRow(sample, dialect, start);
    if (fields.length > 1) counts.set(fields.length, (counts.get(fields.length) ?? 0) + 1);
    start = next;
  }
  const [fields, rows] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? [0, 0];
  return { rows, fields };
}

function isDecimal(separator: string, sample: string): boolean {
  return separator === ',' && !/\D,|,\D/.test(sample);
}

/** The fields of a row, and the start of the next row. */
function readRow(
  text: string,
  dialect: Dialect,
  start: number,
  limit = Math.min(text.length, start + MAX_ROW_LENGTH),
): { fields: string[]; next: number } {
  const fields: string[] = [];
  for (let at = start; ; at += 1) {
    const end = endOfField(text, dialect, at, limit);
    // One field more than can be shown indicates that the row continues.
    const isReturn =
      end > at && text.charCodeAt(end - 1) === RETURN && text[end] !== dialect.separator;
    if (fields.length <= MAX_COLUMNS) fields.push(fieldOf(text, at, isReturn ? end - 1 : end));
    at = end;
    if (at >= limit) break;
    if (text[at] !== dialect.separator) return { fields, next: at + 1 };
  }
  if (limit === text.length) return { fields, next: limit };
  const lineEnd = text.indexOf(String.fromCharCode(dialect.lineEnd), start);
  const next = lineEnd < 0 ? text.length : lineEnd + 1;
  return next > limit ? { fields, next } : { ...readRow(text, dialect, start, next - 1), next };
}

/** The end of a field: at its separator, at the end of the line, or at the limit. */
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

/** The position after the quote that closes a field; two quotes stand for one. */
function endOfQuotes(text: string, start: number, limit: number): number {
  let at = start;
  while (at < limit) {
    if (text.charCodeAt(at) !== QUOTE) at += 1;
    else if (text.charCodeAt(at + 1) === QUOTE) at += 2;
    else return at + 1;
  }
  return limit;
}

function fieldOf(text: string, start: number, end: number): string {
  if (text.charCodeAt(start) !== QUOTE)
    return text.slice(start, Math.min(end, start + MAX_FIELD_LENGTH));
  const quoted = text.slice(start + 1, Math.min(end, start + 2 * MAX_FIELD_LENGTH));
  // A lone CR becomes a line feed. After a quote that is never closed, a line end ends the row.
  return quoted
    .replace(/"$|\r?\n$/, '')
    .replaceAll('""', '"')
    .replaceAll(/\r(?!\n)/g, '\n');
}

/** Determines the columns from the first rows. */
async function columnsOf(
  rows: readonly Row[],
  slices: Slices,
): Promise<Pick<Table, 'columns' | 'hasNames' | 'isNarrow'>> {
  const sample = rows.slice(0, SAMPLE);
  const [first, ...others] = sample;
  const hasNames =
    others.length > 0 && first!.slice(0, SAMPLE).every((one) => !NUMBER.test(one.trim()));
  const columns: { width: number; filled: number; numbers: number }[] = [];
  for (const [row, fields] of sample.entries()) {
    await slices.next();
    for (const [index, field] of fields.entries()) {
      const column = (columns[index] ??= { width: MIN_WIDTH, filled: 0, numbers: 0 });
      // Names are bold, and so wider.
      const extra = hasNames && row === 0 ? 2 : 0;
      column.width = Math.max(column.width, widthOf(field) + extra);
      if (field === '' || (hasNames && row === 0)) continue;
      column.filled += 1;
      if (NUMBER.test(field.slice(0, 40))) column.numbers += 1;
    }
  }
  return {
    hasNames,
    isNarrow: columns.length > MAX_COLUMNS,
    columns: columns.slice(0, MAX_COLUMNS).map(({ width, filled, numbers }) => ({
      width: Math.min(width, MAX_WIDTH),
      isNumeric: filled > 0 && numbers >= filled * 0.9,
    })),
  };
}

/** The width of a field in columns of a terminal, in which characters of East Asia take two. */
function widthOf(field: string): number {
  let width = 0;
  for (const character of field.slice(0, MAX_WIDTH)) width += character >= '\u1100' ? 2 : 1;
  return width;
}
