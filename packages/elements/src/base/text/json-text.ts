/**
 * The maximum depth of a value that is written, because structured clone also carries values that contain
 * themselves.
 */
const MAX_DEPTH = 100;

/** A value as JSON, up to the maximum length. */
export interface JsonText {
  readonly text: string;
  /** Whether the whole value is in the text. */
  readonly isWhole: boolean;
}

/**
 * Writes a value of any type as JSON, up to a length, so that the time depends on the length, not on the
 * value. Bytes and collections are described, and other values that JSON does not have are written as `null`.
 * Values that contain themselves are written up to a depth.
 *
 * @param maxLength The maximum length, in UTF-16 code units.
 * @param indent The number of spaces for each level; 0 for one line without spaces.
 */
export function writeJson(value: unknown, maxLength: number, indent = 2): JsonText {
  const writer = new JsonWriter(maxLength, indent);
  writer.write(value, 0);
  return { text: writer.text, isWhole: writer.isWhole };
}

interface Members {
  readonly [name: string]: unknown;
}

class JsonWriter {
  text = '';
  isWhole = true;
  readonly #maxLength: number;
  readonly #indent: number;

  constructor(maxLength: number, indent: number) {
    this.#maxLength = maxLength;
    this.#indent = indent;
  }

  write(value: unknown, depth: number): void {
    if (!this.isWhole) return;
    if (typeof value === 'string') return this.#writeString(value);
    if (typeof value === 'bigint') return this.#add(String(value));
    if (typeof value !== 'object' || value === null) return this.#add(scalarText(value));
    const special = describeSpecial(value);
    if (special !== undefined) return this.#writeString(special);
    if (depth < MAX_DEPTH) this.#writeObject(value, depth);
    else this.#cut();
  }

  #writeObject(value: object, depth: number): void {
    if (!Array.isArray(value)) return this.#writeMembers(value, depth);
    this.#add('[');
    // `entries()` of a copy is not used, because an array may have billions of holes.
    for (let index = 0; index < value.length && this.isWhole; index += 1) {
      this.#startEntry(index === 0, depth + 1);
      this.write(value[index], depth + 1);
    }
    this.#end(']', value.length === 0, depth);
  }

  #writeMembers(value: object, depth: number): void {
    let isFirst = true;
    this.#add('{');
    // `Object.entries()` is not used, because an object may have millions of members.
    for (const name in value) {
      const member: unknown = Object.hasOwn(value, name) ? (value as Members)[name] : undefined;
      if (!this.isWhole) return;
      if (member === undefined) continue;
      this.#startEntry(isFirst, depth + 1);
      this.#writeString(name);
      this.#add(this.#indent > 0 ? ': ' : ':');
      this.write(member, depth + 1);
      isFirst = false;
    }
    this.#end('}', isFirst, depth);
  }

  #startEntry(isFirst: boolean, depth: number): void {
    this.#add(`${isFirst ? '' : ','}${this.#newLine(depth)}`);
  }

  #end(bracket: string, isEmpty: boolean, depth: number): void {
    this.#add(`${isEmpty ? '' : this.#newLine(depth)}${bracket}`);
  }

  #newLine(depth: number): string {
    return this.#indent > 0 ? `\n${' '.repeat(this.#indent * depth)}` : '';
  }

  #writeString(value: string): void {
    const start = value.slice(0, this.#maxLength);
    this.#add(JSON.stringify(start));
    if (start !== value) this.#cut();
  }

  #add(text: string): void {
    if (!this.isWhole) return;
    this.text += text;
    if (this.text.length > this.#maxLength) this.#cut();
  }

  #cut(): void {
    this.text = this.text.slice(0, this.#maxLength);
    this.isWhole = false;
  }
}

/** A text for a value that JSON does not have, but structured clone carries; `undefined` for others. */
export function describeSpecial(value: unknown): string | undefined {
  if (typeof value === 'bigint') return `${value}n`;
  if (value instanceof Blob) return `Blob (${value.size} bytes)`;
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
    return `Bytes (${value.byteLength})`;
  if (value instanceof Map || value instanceof Set) return `Collection (${value.size})`;
  return undefined;
}

function scalarText(value: unknown): string {
  const text: unknown = JSON.stringify(value);
  return typeof text === 'string' ? text : 'null';
}
