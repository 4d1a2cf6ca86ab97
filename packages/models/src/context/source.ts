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

/** Where a server of this project puts what its list says of a resource (docs/resources.md). */
const RESOURCE_KEY = 'io.github.inpage-mcp/resource';

const MAX_TITLE_LENGTH = 200;

/** One content of a resource, before it is written in a format. */
export interface Source {
  uri: string;
  title: string;
  /** A plain media type: that of the bytes, if they are an image or a PDF. */
  type: string;
  kind: Kind;
  /** Texts as UTF-8. */
  bytes: Bytes;
  /** The longer side of an image; 0 for all others. */
  pixels: number;
  /** Why an image or a PDF is none, in words. */
  damage?: string;
  annotations: Annotations;
  /** An estimate, without what stands around the content. */
  tokens: number;
}

/** A server of this project can send a Blob itself, in `_meta`. */
const hasBlob = ({ _meta = {} }: ResourceContents): boolean =>
  Object.values(_meta).some((value) => value instanceof Blob);

/**
 * @param listed what a list says of the resource
 * @throws {ClientError} `invalid-result` if the bytes are not base64
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
  const title = [facts['title'], listed?.title, listed?.name, contents.uri].find(isFilled)!;
  return {
    uri: contents.uri,
    title: inOneLine(title) || contents.uri,
    type: type || 'application/octet-stream',
    kind,
    bytes,
    ...media,
    annotations: annotationsOf({ ...listed?.annotations, ...fieldsOf(facts['annotations']) }),
    tokens: tokensOf(type, kind, sizeOf(bytes)),
  };
}

/** What the bytes are, whatever is said of them: an API refuses the whole request if both differ. */
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

/** A text of a server, as a title or a message: cut, and without line breaks or control characters. */
export function inOneLine(text: string): string {
  const line = text
    .slice(0, MAX_TITLE_LENGTH * 10)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, MAX_TITLE_LENGTH);
  // Half of a character, which a JSON parser may refuse.
  return line.replaceAll(/\p{Cs}/gu, '');
}

/** Tokens of a text: one for each four bytes. */
export const tokensOfText = (text: string): number => Math.ceil(bytesOfText(text) / 4);

/** The length of a text in UTF-8. */
export const bytesOfText = (text: string): number => new TextEncoder().encode(text).length;

/** As in the elements: of text one for each four bytes, of an image 1,600, of base64 two for three. */
function tokensOf(type: string, kind: Kind, sizeBytes: number): number {
  if (kind === 'text') return Math.ceil(sizeBytes / 4);
  return type.startsWith('image/') ? 1_600 : Math.ceil((sizeBytes * 2) / 3);
}

/** The valid annotations that decide on a content; nobody has checked those in `_meta`. */
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

/** The fields of what may be anything. */
export function fieldsOf(value: unknown): { [name: string]: unknown } {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
