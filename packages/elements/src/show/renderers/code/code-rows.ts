import type { Slices } from '../../../reading/slices.js';
import { endWithinCost } from '../../../base/text/layout-cost.js';
import { firstIndex } from '../first-index.js';
import { MAX_ROWS } from '../reading.js';

/** What a row costs to lay out at most, in the unit of `endWithinCost`. */
const MAX_COST = 1_024;

/** A line of so many code units costs less, whatever is in it. */
const ALWAYS_CHEAP = 31;

/** How many rows are made between two looks at the clock. */
const ROWS_PER_STEP = 500;

/** The lines of a text as rows: a line that costs too much goes on in the next row. */
export class CodeRows {
  readonly text: string;
  /** Whether the text goes on after the last row. */
  readonly isCut: boolean;
  /** How many rows exist. */
  readonly count: number;
  /** How many lines exist. */
  readonly lineCount: number;
  readonly #starts: readonly number[];
  readonly #ends: readonly number[];
  readonly #lines: readonly number[];

  private constructor(
    text: string,
    isCut: boolean,
    starts: readonly number[],
    ends: readonly number[],
    lines: readonly number[],
  ) {
    this.text = text;
    this.isCut = isCut;
    this.#starts = starts;
    this.#ends = ends;
    this.#lines = lines;
    this.count = starts.length;
    this.lineCount = (lines.at(-1) ?? -1) + 1;
  }

  /** @param isCut Whether the text goes on after what is given. */
  static async read(text: string, isCut: boolean, slices: Slices): Promise<CodeRows> {
    const starts: number[] = [];
    const ends: number[] = [];
    const lines: number[] = [];
    let start = 0;
    for (let line = 0; start <= text.length && starts.length < MAX_ROWS; line += 1) {
      const end = endOfLine(text, start);
      do {
        if (starts.length % ROWS_PER_STEP === 0) await slices.next();
        const rowEnd = endOfRow(text, start, end);
        starts.push(start);
        ends.push(rowEnd);
        lines.push(line);
        start = rowEnd;
      } while (start < end && starts.length < MAX_ROWS);
      if (start < end) break;
      start = end + 1;
      // A line break at the end begins no other line.
      if (start === text.length) break;
    }
    return new CodeRows(text, isCut || start < text.length, starts, ends, lines);
  }

  /** The number of the line of a row, from 0. */
  lineOf(row: number): number {
    return this.#lines[row] ?? 0;
  }

  /** Whether a row begins its line. */
  beginsLine(row: number): boolean {
    return row === 0 || this.#lines[row] !== this.#lines[row - 1];
  }

  /** Where a row begins and ends in the text; without its line break. */
  rangeOf(row: number): [start: number, end: number] {
    const end = this.#ends[row] ?? 0;
    const isLast = this.#lines[row] !== this.#lines[row + 1];
    const breaksWithReturn = isLast && end > 0 && this.text.charCodeAt(end - 1) === 0x0d;
    return [this.#starts[row] ?? 0, breaksWithReturn ? end - 1 : end];
  }

  /** The first row of a line. */
  rowOf(line: number): number {
    return firstIndex(this.count, (row) => this.#lines[row]! >= line);
  }

  /** A line without its line break, at most so many code units of it. */
  line(line: number, maxLength: number): string {
    const start = this.#starts[this.rowOf(line)] ?? 0;
    const part = this.text.slice(start, start + maxLength);
    const [first = ''] = part.split('\n', 1);
    return first;
  }
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end === -1 ? text.length : end;
}

function endOfRow(text: string, start: number, end: number): number {
  if (end - start <= ALWAYS_CHEAP) return end;
  const part = text.slice(start, Math.min(end, start + MAX_COST));
  return start + endWithinCost(part, 0, MAX_COST);
}
