import { sizeOf } from './bytes.js';
import { REFUSED_BY_GOOGLE, type Kind } from './media-type.js';
import { inOneLine, type Source } from './source.js';

/** The media that an API accepts. One content that it refuses makes the whole request fail. */
export interface TakenMedia {
  kinds: readonly Kind[];
  /** A media type of these kinds that the API refuses. */
  refuses?: string;
  /** The maximum number of bytes of an image and of a PDF, before base64. */
  maxBytes?: { [kind in Kind]?: number };
  /** The maximum number of pixels of an image in each direction. */
  maxPixels?: number;
  /** The same maximum if a request has more than {@link MANY_IMAGES}. */
  maxPixelsOfMany?: number;
  /** The maximum number of bytes of all parts, as text: a request has other members, too. */
  maxRequestBytes?: number;
}

/** The number of images above which the limit for many images applies. */
export const MANY_IMAGES = 20;

/**
 * The limits of the APIs in November 2026: Anthropic counts the base64 of an image (5 MiB) and has 32 MB for a
 * request, OpenAI 50 MB, Google 20 MB. A PDF, and all parts together, leave some room for the rest of a request.
 */
const ANTHROPIC_IMAGES = {
  maxPixels: 8_000,
  maxPixelsOfMany: 2_000,
  maxBytes: { image: 3_932_160 },
};

export const ANTHROPIC: Omit<TakenMedia, 'kinds'> = {
  ...ANTHROPIC_IMAGES,
  maxBytes: { ...ANTHROPIC_IMAGES.maxBytes, pdf: 23_000_000 },
  maxRequestBytes: 31_000_000,
};

export const OPENAI: Omit<TakenMedia, 'kinds'> = {
  maxBytes: { image: 36_000_000, pdf: 36_000_000 },
  maxRequestBytes: 49_000_000,
};

export const GOOGLE: Omit<TakenMedia, 'kinds'> = {
  refuses: REFUSED_BY_GOOGLE,
  maxBytes: { image: 14_000_000, pdf: 14_000_000 },
  maxRequestBytes: 19_000_000,
};

/** The limits for a library that may call any of the APIs: the lowest of each. */
export const ANY_API: Omit<TakenMedia, 'kinds'> = {
  ...ANTHROPIC_IMAGES,
  maxBytes: { ...ANTHROPIC_IMAGES.maxBytes, pdf: 14_000_000 },
  maxRequestBytes: 19_000_000,
};

/** The reason, as a text, why an API does not accept a content; `undefined` if it does. */
export function whyNotTaken(
  { kind, type, bytes, pixels, damage }: Source,
  { kinds, refuses, maxBytes, maxPixels }: TakenMedia,
): string | undefined {
  if (!kinds.includes(kind) || type === refuses)
    return damage ?? `This format takes no ${inOneLine(type)}.`;
  const most = maxBytes?.[kind] ?? Infinity;
  if (sizeOf(bytes) > most)
    return `It has ${sizeOf(bytes)} bytes, and this format takes at most ${most} of ${type}.`;
  return tooManyPixels(pixels, maxPixels);
}

/** The reason why an image is not accepted together with many others; `undefined` if it is. */
export const whyNotAmongMany = (
  { pixels }: Pick<Source, 'pixels'>,
  { maxPixelsOfMany }: TakenMedia,
): string | undefined =>
  tooManyPixels(pixels, maxPixelsOfMany, ` of more than ${MANY_IMAGES} images`);

function tooManyPixels(pixels: number, maximum = Infinity, ofWhat = ''): string | undefined {
  return pixels > maximum
    ? `It has ${pixels} pixels in a row or column, and this format takes at most ${maximum}${ofWhat}.`
    : undefined;
}
