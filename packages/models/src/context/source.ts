import {
  type Annotations,
  blobOf,
  bytesOf,
  isBlobContents,
  type Resource,
  type ResourceContents,
} from '@inpage-mcp/client';
import { headOf, sizeOf, type Bytes } from './bytes.js';
import { pixelsOf } from './image-size.js';
import { kindOf, plainType, typeOfBytes, type Kind } from './media-type.js';

/** The key under which a server of this project adds a resource's entry of the list (docs/resources.md). */
const RESOURCE_KEY = 'io.github.inpage-mcp/resource';

const MAX_TITLE_LENGTH = 200;

/** One content of a resource, before it is written in a format. */
export interface Source {
  uri: string;
  title: string;
  /** The plain media type: that of the bytes, if they are an image or a PDF. */
  type: string;
  kind: Kind;
  /** The bytes; texts are in UTF-8. */
  bytes: Bytes;
  /** The longer side of an image; 0 for all others. */
  pixels: number;
  /** The reason, as a text, why the bytes are not the image or PDF that they should be. */
  damage?: string;
  annotations: Annotations;
  /** The estimated number of tokens, without the title and uri around the content. */
  tokens: number;
}

/** Whether the contents have a Blob: a server of this project can send one in `_meta`. */
const hasBlob = ({ _meta = {} }: ResourceContents): boolean =>
  Object.values(_meta).some((value) => value instanceof Blob);

/**
 * Prepares one content for all formats.
 *
 * @param listed The entry of the resource in the list.
 * @throws {ClientError} `invalid-result` if the bytes are not base64.
 */
export async function sourceOf(
  contents: ResourceContents,
  listed: Resource | undefined,
): Promise<Source> {
  const facts = fieldsOf(contents._meta?.[RESOURCE_KEY]);
  const isText = !isBlobContents(contents);
  const declared = plainType(contents.mimeType ?? (isText ? 'text/plain' : ''));
  const bytes = hasBlob(contents) ? blobOf(contents) : bytesOf(contents);
  const isSure = isText || kindOf(declared) === 'text';
  const { type, kind, ...media } = isSure
    ? { type: declared, kind: 'text' as const, pixels: 0 }
    : await mediaOf(bytes, declared);
  // A text of control characters is empty in one line.
  const titles = [facts['title'], listed?.title, listed?.name, contents.uri]
    .filter(isFilled)
    .map((one) => inOneLine(one));
  return {
    uri: contents.uri,
    title: titles.find(Boolean) ?? 'Resource',
    type: type || 'application/octet-stream',
    kind,
    bytes,
    ...media,
    annotations: annotationsOf({ ...listed?.annotations, ...fieldsOf(facts['annotations']) }),
    tokens: tokensOf(type, kind, sizeOf(bytes)),
  };
}

/**
 * The actual media type of the bytes, regardless of the declared one: an API refuses the whole request if
 * both differ.
 */
async function mediaOf(
  bytes: Bytes,
  declared: string,
): Promise<Pick<Source, 'type' | 'kind' | 'pixels' | 'damage'>> {
  const head = await headOf(bytes);
  const type = typeOfBytes(head);
  if (type === 'application/pdf') return { type, kind: 'pdf', pixels: 0 };
  const pixels = type ? await pixelsOf(bytes, type) : 0;
  if (type && pixels > 0) return { type, kind: 'image', pixels };
  const other = { type: type ?? declared, kind: 'other', pixels: 0 } as const;
  if (!type && kindOf(declared) === 'other') return other;
  return { ...other, damage: head ? `Its bytes are not ${type ?? declared}.` : 'It is empty.' };
}

/** A text of a server, as a title or a message: truncated, and without line breaks or control characters. */
export function inOneLine(text: string): string {
  const line = text
    .slice(0, MAX_TITLE_LENGTH * 10)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, MAX_TITLE_LENGTH);
  // A half of a character, which a JSON parser may refuse.
  return line.replaceAll(/\p{Cs}/gu, '');
}

/** The estimated number of tokens of a text: one for four bytes. */
export const tokensOfText = (text: string): number => Math.ceil(bytesOfText(text) / 4);

/** The length of a text in UTF-8. */
export const bytesOfText = (text: string): number => new TextEncoder().encode(text).length;

/**
 * The estimated number of tokens, as in the elements: one for four bytes of text, 1,600 for an image, two for
 * three bytes of base64.
 */
function tokensOf(type: string, kind: Kind, sizeBytes: number): number {
  if (kind === 'text') return Math.ceil(sizeBytes / 4);
  return type.startsWith('image/') ? 1_600 : Math.ceil((sizeBytes * 2) / 3);
}

/**
 * The valid annotations that decide on a content. They are checked here because those in `_meta` are
 * unchecked.
 */
function annotationsOf({ audience, priority }: { [name: string]: unknown }): Annotations {
  const annotations: Annotations = {};
  if (Array.isArray(audience)) {
    const roles = ['user', 'assistant'] as const;
    annotations.audience = roles.filter((role) => audience.includes(role));
  }
  if (typeof priority === 'number' && priority >= 0 && priority <= 1)
    annotations.priority = priority;
  return annotations;
}

/** The fields of a value that may be anything. */
export function fieldsOf(value: unknown): { [name: string]: unknown } {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
