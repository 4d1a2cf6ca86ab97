const NEWLINE = 0x0a;

/** Divides a stream of bytes into lines. */
export class LineReader {
  readonly #maxBytes: number;
  readonly #online: (line: string) => void;
  #parts: Buffer[] = [];
  #bytes = 0;

  /**
   * @param maxBytes The maximum length of a line.
   * @param online Called with each line, without its end.
   */
  constructor(maxBytes: number, online: (line: string) => void) {
    this.#maxBytes = maxBytes;
    this.#online = online;
  }

  /** @throws {RangeError} if a line is too long. */
  push(chunk: Buffer): void {
    let rest = chunk;
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      this.#add(rest.subarray(0, end));
      const line = Buffer.concat(this.#parts).toString('utf8');
      this.#parts = [];
      this.#bytes = 0;
      this.#online(line);
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 0) this.#add(rest);
  }

  /** Handles the end of the stream: the rest of the bytes is a line, too. */
  end(): void {
    if (this.#bytes > 0) this.push(Buffer.from([NEWLINE]));
  }

  #add(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > this.#maxBytes) throw new RangeError('A line is too long.');
    this.#parts.push(part);
  }
}
