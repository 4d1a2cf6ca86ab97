/** The number of bytes that are decoded at once, which takes a few milliseconds. */
const PORTION_BYTES = 1_048_576;

/** Options of {@link decodeText}. */
export interface DecodeOptions {
  /** The encoding to use instead of a guess, by a label of the Encoding Standard. Default: none. */
  encoding?: string | undefined;
  /** Whether the bytes may end within a character. Default: no. */
  isCut?: boolean | undefined;
  /**
   * A function that is awaited before each portion of a long text, so that the thread stays free. Default:
   * none.
   */
  pause?: (() => Promise<void>) | undefined;
}

/** A text, and the encoding of its bytes. */
export interface DecodedText {
  /**
   * The text. In UTF-8, it keeps its byte order mark, so that encoding it gives the same bytes. Bytes that
   * the encoding does not have are U+FFFD.
   */
  text: string;
  /** The name of the encoding in the Encoding Standard, in lower case. */
  encoding: string;
  /** Whether the encoding is a guess, or was chosen instead of one, because the bytes do not declare it. */
  isGuess: boolean;
}

/**
 * Decodes bytes as a text: by the byte order mark of UTF-16, otherwise in UTF-8 if they are valid in it,
 * otherwise in the encoding in which they look most like a text.
 *
 * @returns `undefined` if they do not look like a text.
 * @throws {RangeError} if no encoding has the label `encoding`.
 * @throws The error of `pause`.
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
    // A `TypeError` reports bytes that are not valid; any other error comes from `pause`.
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

/**
 * The encoding that a byte order mark of UTF-16 names. The mark of UTF-32, which no browser reads, begins
 * like it.
 */
function utf16MarkIn([first, second, third, fourth]: Uint8Array): string | undefined {
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const isLittleEndian = first === 0xff && second === 0xfe && !(third === 0 && fourth === 0);
  return isLittleEndian ? 'utf-16le' : undefined;
}
