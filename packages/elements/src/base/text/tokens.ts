// How many tokens a model spends on a content: estimates, the same in all elements. Tokenizers differ
// from model to model, and the text of a resource is not at hand before it is read.

/** English text and code have about four bytes for each token. */
const BYTES_PER_TOKEN = 4;

/** Models scale a larger image down to about this number of tokens. */
const IMAGE_TOKENS = 1_600;

/** The tokens of a resource whose size the server does not report. */
export const UNKNOWN_SIZE_TOKENS = 1_000;

/** The part of a text that is looked at; the rest counts like it. In UTF-16 code units. */
const SAMPLE_LENGTH = 8_192;

/** The facts of a resource that are needed; any value may be of the wrong type. */
export interface Measurable {
  mimeType?: string | undefined;
  /** In bytes. */
  size?: number | undefined;
}

/**
 * About how many tokens the contents of a resource are, from what a list says of it: of text one for
 * each four bytes; of an image 1,600; of other bytes, which a model gets as base64, two for each three
 * bytes.
 *
 * @returns `undefined` if the server does not report the size. Of an image, the size is not needed.
 */
export function tokensOfResource({ mimeType, size }: Measurable): number | undefined {
  const type = typeof mimeType === 'string' ? mimeType : 'text/plain';
  if (type.startsWith('image/') && type !== 'image/svg+xml') return IMAGE_TOKENS;
  if (typeof size !== 'number' || !(size >= 0) || size === Infinity) return undefined;
  return Math.ceil(isText(type) ? size / BYTES_PER_TOKEN : (size * 2) / 3);
}

/**
 * About how many tokens a text is: one for each four ASCII characters, and one for each other
 * character, as in Chinese and Japanese. Of a long text the first 8,192 code units are looked at.
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
