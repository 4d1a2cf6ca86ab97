import type { Slices } from '../../../reading/slices.js';

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;

/**
 * How many rows are shown. Browsers draw nothing below 17 million pixels: this many rows end above,
 * also where the user has doubled the size of the text.
 */
const MAX_ROWS = 400_000;

/** The part of a row that is read, in UTF-16 code units. */
const MAX_ROW_LENGTH = 262_144;

/** A field is kept up to this length, in UTF-16 code units. */
const MAX_FIELD_LENGTH = 1_000;

/** How many columns are shown. */
const MAX_COLUMNS = 50;

/** How many rows are looked at to know the columns. */
const SAMPLE = 100;

/** How many rows, and how many code units, are read between two looks at the clock. */
const ROWS_PER_STEP = 200;

/** The part of a text that is looked at to find its separator, in UTF-16 code units and in rows. */
const SAMPLE_LENGTH = 65_536;
const SAMPLE_ROWS = 50;

/** The separators of fields; of two that fit equally well the first one counts. */
const SEPARATORS = [',', ';', '\t', '|'];

/** The first line by which spreadsheets are told the separator. */
const SEPARATOR_LINE = /^\uFEFF?"?sep=([^\r\n"])"?[,;\t]*(?:\r\n?|\n|$)/i;

/** How wide a column is at least and at most, in characters. */
const [MIN_WIDTH, MAX_WIDTH] = [4, 36];

/** A number for people: `-1,234.5`, `12 %`, `€ 3`, `1e9`; nothing as well. */
const NUMBER = /^[\s$€£¥+-]*\d[\d\s.,']*(?:[eE][+-]?\d+)?\s*[%$€£¥]?$/;

/** The ends of fields and rows. */
interface Dialect {
  separator: string;
  /** The character code of a line end, which may have CR before it. */
  lineEnd: number;
}

/** The fields of a row. */
export type Row = readonly string[];

/** The facts of one column, from the first rows. */
export interface Column {
  /** In characters. */
  width: number;
  isNumeric: boolean;
}

/** A table, as it is shown. */
export interface Table {
  rows: readonly Row[];
  columns: readonly Column[];
  /** Whether the first row holds the names of the columns. */
  hasNames: boolean;
  /** Whether the text goes on after the last row. */
  isCut: boolean;
  /** Whether rows go on after the last column. */
  isNarrow: boolean;
}

/**
 * Reads rows (RFC 4180), without the empty ones, and finds the separator. A quote opens a field only
 * at its beginning, so that `5" pipe` is a field like any other. Where a row is too long, because a
 * quote is never closed, its first line is the row.
 *
 * @param knownSeparator Default: the one that separates the first rows best.
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

/** The fields of a row, and where the next row begins. */
function readRow(
  text: string,
  dialect: Dialect,
  start: number,
  limit = Math.min(text.length, start + MAX_ROW_LENGTH),
): { fields: string[]; next: number } {
  const fields: string[] = [];
  for (let at = start; ; at += 1) {
    const end = endOfField(text, dialect, at, limit);
    // One more than are shown says that there are more.
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

function fieldOf(text: string, start: number, end: number): string {
  if (text.charCodeAt(start) !== QUOTE)
    return text.slice(start, Math.min(end, start + MAX_FIELD_LENGTH));
  const quoted = text.slice(start + 1, Math.min(end, start + 2 * MAX_FIELD_LENGTH));
  // A line end is one on every system, and after a quote that is never closed it ends the row.
  return quoted
    .replace(/"$|\r?\n$/, '')
    .replaceAll('""', '"')
    .replaceAll(/\r(?!\n)/g, '\n');
}

/** Looks at the first rows. */
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
      // Names are bold.
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

/** In columns of a terminal: characters of East Asia take two. */
function widthOf(field: string): number {
  let width = 0;
  for (const character of field.slice(0, MAX_WIDTH)) width += character >= '\u1100' ? 2 : 1;
  return width;
}
