import { escapeInvisible } from '../../base/text/visible-text.js';
import { endWithinCost } from '../../base/text/layout-cost.js';

/** Deeper parts are left out. */
const MAX_DEPTH = 100;

/** A value as text. */
export interface Printed {
  text: string;
  /** Whether nothing is left out. */
  isWhole: boolean;
}

/**
 * A value as indented JSON for people, cut after about `maxLength` characters; a string in it is cut
 * after a quarter of that. Takes time for what it prints, not for the whole value. Values that JSON
 * does not have are described. The text has no invisible characters.
 */
export function printJson(value: unknown, maxLength: number): Printed {
  const printer = new Printer(maxLength);
  printer.print(value, '\n');
  const { text } = printer;
  const end = endWithinCost(text, 0, 4 * maxLength);
  const isCut = end < text.length;
  return { text: isCut ? `${text.slice(0, end)}…` : text, isWhole: printer.isWhole && !isCut };
}

class Printer {
  text = '';
  isWhole = true;
  readonly #maxLength: number;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** @param newline The line break, with the indentation of the value. */
  print(value: unknown, newline: string): void {
    if (typeof value === 'string') this.#printString(value);
    else if (typeof value !== 'object' || value === null) this.text += describePrimitive(value);
    else if (newline.length > 2 * MAX_DEPTH) this.#cut();
    else if (Array.isArray(value)) this.#printArray(value, newline);
    else this.#printObject(value, newline);
  }

  #cut(): void {
    this.text += '…';
    this.isWhole = false;
  }

  get #isFull(): boolean {
    return this.text.length >= this.#maxLength;
  }

  #printString(value: string): void {
    const maximum = Math.max(
      100,
      Math.min(this.#maxLength / 4, this.#maxLength - this.text.length),
    );
    const start = value.length > maximum ? value.slice(0, maximum) : value;
    this.text += escapeInvisible(JSON.stringify(start));
    if (start === value) return;
    this.#cut();
    this.text += ` (${value.length})`;
  }

  #printArray(values: readonly unknown[], newline: string): void {
    if (values.length === 0) return void (this.text += '[]');
    this.text += '[';
    const inner = `${newline}  `;
    for (let index = 0; index < values.length; index += 1) {
      this.text += index === 0 ? inner : `,${inner}`;
      if (this.#isFull) {
        this.#cut();
        this.text += ` (${values.length})`;
        break;
      }
      this.print(values[index], inner);
    }
    this.text += `${newline}]`;
  }

  #printObject(value: object, newline: string): void {
    const special = describeObject(value);
    if (special !== undefined) return void (this.text += special);
    const inner = `${newline}  `;
    let isFirst = true;
    this.text += '{';
    for (const key in value) {
      this.text += isFirst ? inner : `,${inner}`;
      isFirst = false;
      if (this.#isFull) {
        this.#cut();
        break;
      }
      this.#printString(key);
      this.text += ': ';
      this.print((value as { [key: string]: unknown })[key], inner);
    }
    this.text += isFirst ? '}' : `${newline}}`;
  }
}

function describePrimitive(value: unknown): string {
  return typeof value === 'bigint' ? `${value}n` : String(value);
}

/** What is not a plain object: structured clone carries more than JSON. */
function describeObject(value: object): string | undefined {
  if (value instanceof Date) return `Date (${value.getTime()})`;
  if (value instanceof Blob) return `Blob (${value.size} bytes)`;
  if (value instanceof Map || value instanceof Set) return `Collection (${value.size})`;
  if (value instanceof Error) return 'Error';
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
    return `Bytes (${value.byteLength})`;
  return undefined;
}
