import { isTextType } from '@inpage-mcp/encoding';
import type { AnthropicImageType } from './part-types.js';

/** The kinds of media that the formats distinguish. */
export type Kind = 'text' | 'image' | 'pdf' | 'other';

const IMAGES: readonly string[] = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
] satisfies AnthropicImageType[];

/** The image type that Gemini refuses, and with it the whole request. */
export const REFUSED_BY_GOOGLE = 'image/gif';

/** The media type in lower case, without parameters, and with the registered name of JPEG. */
export function plainType(mimeType: string): string {
  const type = mimeType.slice(0, 200).split(';', 1)[0]!.trim().toLowerCase().toWellFormed();
  return type === 'image/jpg' ? 'image/jpeg' : type;
}

const SIGNATURES: readonly [RegExp, string][] = [
  [/^\x89PNG\r\n\x1a\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF[^]{4}WEBP/, 'image/webp'],
  // Readers of PDF search for it in the first kilobyte.
  [/%PDF-/, 'application/pdf'],
];

/** The media type of an image or a PDF by its first bytes, each as one character. */
export const typeOfBytes = (head: string): string | undefined =>
  SIGNATURES.find(([signature]) => signature.test(head))?.[1];

/** The kind of a plain media type. SVG counts as text, because the APIs accept no vector images. */
export function kindOf(type: string): Kind {
  if (IMAGES.includes(type)) return 'image';
  if (type === 'application/pdf') return 'pdf';
  return isTextType(type) ? 'text' : 'other';
}
