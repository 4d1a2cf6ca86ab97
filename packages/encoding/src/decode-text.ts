/** How much is decoded at once, in bytes: a few milliseconds' worth. */
const PORTION_BYTES = 1_048_576;

/** How to decode bytes. */
export interface DecodeOptions {
  /** In the place of a guess: an encoding, by a label of the Encoding Standard. Default: none. */
  encoding?: string | undefined;
  /** Whether the bytes may end within a character. Default: no. */
  isCut?: boolean | undefined;
  /** Awaited before each portion of a long text, so that the thread stays free. Default: nothing. */
  pause?: (() => Promise<void>) | undefined;
}

/** A text, and how its bytes were read. */
export interface DecodedText {
  /**
   * In UTF-8 with its byte order mark, so that encoding it gives the same bytes. Bytes that the encoding
   * does not have are U+FFFD.
   */
  text: string;
  /** The name of the encoding in the Encoding Standard, in lower case. */
  encoding: string;
  /** Whether the encoding is a guess, or was chosen in its place: the bytes do not say it. */
  isGuess: boolean;
}

/**
 * Bytes as a text: as the byte order mark of UTF-16 says, else in UTF-8 if they are valid in it, else in
 * the encoding in which they look most like a text.
 *
 * @returns `undefined` if they look like no text
 * @throws {RangeError} if no encoding has the label `encoding`.
 * @throws what `pause` throws.
 */
export async function decodeText(
  bytes: Uint8Array,
  options: DecodeOptions = {},
): Promise<DecodedText | undefined> {
  const marked = utf16MarkIn(bytes);
  if (marked !== undefined) return await decodeAs(marked, bytes, options);
  try {
    return await decodeAs('utf-8', bytes, options, true);
  } catch (error) {
    // Of bytes that are not valid; any other is of `pause`.
    if (!(error instanceof TypeError)) throw error;
  }
  const encoding = options.encoding ?? (await guess(bytes));
  if (encoding === undefined) return undefined;
  return { ...(await decodeAs(encoding, bytes, options)), isGuess: true };
}

async function guess(bytes: Uint8Array): Promise<string | undefined> {
  const { guessEncoding } = await import('./guess-encoding.js');
  return guessEncoding(bytes);
}

async function decodeAs(
  label: string,
  bytes: Uint8Array,
  { isCut = false, pause }: DecodeOptions,
  fatal = false,
): Promise<DecodedText> {
  const decoder = new TextDecoder(label, { fatal, ignoreBOM: label === 'utf-8' });
  let text = '';
  for (let start = 0; start < bytes.length; start += PORTION_BYTES) {
    await pause?.();
    text += decoder.decode(bytes.subarray(start, start + PORTION_BYTES), { stream: true });
  }
  if (!isCut) text += decoder.decode();
  return { text, encoding: decoder.encoding, isGuess: false };
}

/** That of UTF-32, which no browser reads, begins like it. */
function utf16MarkIn([first, second, third, fourth]: Uint8Array): string | undefined {
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const isLittleEndian = first === 0xff && second === 0xfe && !(third === 0 && fourth === 0);
  return isLittleEndian ? 'utf-16le' : undefined;
}
