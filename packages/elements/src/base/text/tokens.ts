// Estimates of the number of tokens that a model spends on a content; they are the same in all elements.
// Tokenizers differ from model to model, and the text of a resource is not available before it is read.

/** The number of bytes for each token, which is about four in English text and code. */
const BYTES_PER_TOKEN = 4;

/** The number of tokens of a large image: models scale a larger image down to about this number. */
const IMAGE_TOKENS = 1_600;

/** The tokens of a resource whose size the server does not report. */
export const UNKNOWN_SIZE_TOKENS = 1_000;

/** The length of the part of a text that is examined, in UTF-16 code units; the rest counts like it. */
const SAMPLE_LENGTH = 8_192;

/** The facts about a resource that are needed; any value may be of the wrong type. */
export interface Measurable {
  mimeType?: string | undefined;
  /** The size in bytes. */
  size?: number | undefined;
}

/**
 * The approximate number of tokens of a resource's contents, estimated from its entry in a list: for text one
 * for each four bytes; for an image 1,600; for other bytes, which a model gets as base64, two for each three
 * bytes.
 *
 * @returns `undefined` if the server does not report the size. For an image, the size is not needed.
 */
export function tokensOfResource({ mimeType, size }: Measurable): number | undefined {
  const type = typeof mimeType === 'string' ? mimeType : 'text/plain';
  if (type.startsWith('image/') && type !== 'image/svg+xml') return IMAGE_TOKENS;
  if (typeof size !== 'number' || !(size >= 0) || size === Infinity) return undefined;
  return Math.ceil(isText(type) ? size / BYTES_PER_TOKEN : (size * 2) / 3);
}

/**
 * The approximate number of tokens of a text: one for each four ASCII characters, and one for each other
 * character, as in Chinese and Japanese. Of a long text, only the first 8,192 code units are examined.
 */
export function tokensOfText(text: string): number {
  const sample = text.slice(0, SAMPLE_LENGTH);
  const others = sample.match(/[^\0-\x7F]/gu)?.length ?? 0;
  const tokens = others + (sample.length - others) / BYTES_PER_TOKEN;
  return Math.ceil((tokens * text.length) / (sample.length || 1));
}

function isText(type: string): boolean {
  return /^text\/|[/+](?:json|xml|yaml|javascript|svg\+xml)\b/.test(type.slice(0, 200));
}
