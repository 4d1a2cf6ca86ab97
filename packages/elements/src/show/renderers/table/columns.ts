import { readFields, type Rows } from './read-rows.js';

/** How many rows are looked at to know the columns. */
const SAMPLE = 100;

/** How many columns are shown. */
const MAX_COLUMNS = 10_000;

/** How wide a column is at least and at most, in characters. */
const [MIN_WIDTH, MAX_WIDTH] = [4, 36];

/** What is a number for people: `-1,234.5`, `12 %`, `€ 3`, `1e9`; nothing as well. */
const NUMBER = /^[\s$€£¥+-]*\d[\d\s.,']*(?:[eE][+-]?\d+)?\s*[%$€£¥]?$/;

/** The columns of a table, as its first rows show them. */
export interface Columns {
  /** How many there are in the row with the most, of the rows that were looked at. */
  count: number;
  /** Whether there are more, which are not shown. */
  isCut: boolean;
  /** Whether the first row holds the names of the columns. */
  hasNames: boolean;
}

/** What is known of one column. */
export interface Column {
  /** In characters. */
  width: number;
  isNumeric: boolean;
}

/** Looks at the first rows. */
export function findColumns(rows: Rows): Columns {
  const sampled = Math.min(SAMPLE, rows.starts.length);
  let count = 0;
  for (let row = 0; row < sampled; row += 1)
    count = Math.max(count, readFields(rows, row, Infinity, MAX_COLUMNS + 1).count);
  const first = readFields(rows, 0, 0, SAMPLE).fields;
  const hasNames = sampled > 1 && first.every((field) => !NUMBER.test(field.trim()));
  return { count: Math.min(count, MAX_COLUMNS), isCut: count > MAX_COLUMNS, hasNames };
}

/** Looks at some columns in the first rows. */
export function describeColumns(
  rows: Rows,
  first: number,
  end: number,
  hasNames: boolean,
): Column[] {
  const widths = Array.from({ length: end - first }, () => MIN_WIDTH);
  const numbers = Array.from({ length: end - first }, () => 0);
  const filled = Array.from({ length: end - first }, () => 0);
  const sampled = Math.min(SAMPLE, rows.starts.length);
  for (let row = 0; row < sampled; row += 1) {
    for (const [index, field] of readFields(rows, row, first, end).fields.entries()) {
      widths[index] = Math.max(widths[index]!, widthOf(field));
      if (field === '' || (hasNames && row === 0)) continue;
      filled[index]! += 1;
      if (NUMBER.test(field.slice(0, 40))) numbers[index]! += 1;
    }
  }
  return widths.map((width, index) => ({
    width: Math.min(width, MAX_WIDTH),
    isNumeric: filled[index]! > 0 && numbers[index]! >= filled[index]! * 0.9,
  }));
}

/** In columns of a terminal: characters of East Asia take two. */
function widthOf(field: string): number {
  let width = 0;
  for (const character of field.slice(0, MAX_WIDTH)) width += character >= '\u1100' ? 2 : 1;
  return width;
}
