import type {
  CallToolResult,
  ContentBlock,
  ResourceContents,
  ResourceLink,
} from '@inpage-mcp/client';
import { base64Of, sizeOf, textOf } from '../context/bytes.js';
import { fenced, lineOf, provenance } from '../context/plain-text.js';
import { inOneLine, sourceOf, tokensOfText, type Source } from '../context/source.js';
import { whyNotTaken, type TakenMedia } from '../context/taken-media.js';

/** A part of the answer of a tool, before it is written in a format. */
export type Piece = TextPiece | MediaPiece;

interface TextPiece {
  kind: 'text';
  text: string;
  /** The estimated number of tokens. */
  tokens: number;
}

/** An image, or a PDF. */
export interface MediaPiece {
  kind: 'image' | 'pdf';
  /** The media type. */
  type: string;
  /** The data in base64. */
  data: string;
  /** The number of bytes, before base64. */
  size: number;
  /** The larger of the width and the height of an image; 0 for a PDF. */
  pixels: number;
  /** The name in one line. */
  name: string;
  /** The estimated number of tokens. */
  tokens: number;
}

/** The maximum number of parts of an answer that are checked: more would block the page for a moment. */
const MAX_ENTRIES = 10_000;

/**
 * The parts of an answer for the model, one after the other, each as its pieces. No text is empty. A remark
 * replaces each part that the model does not accept. Never throws for a wrong part: the tool may have changed
 * data, and if the model gets an error instead of the answer, it calls the tool again.
 */
export async function* partsOf(
  { content, structuredContent, unusable }: CallToolResult,
  taken: TakenMedia,
): AsyncGenerator<Piece[]> {
  // The holes of an array are skipped, because there may be billions of them.
  const blocks = Array.isArray(content) ? Object.values(content) : [];
  for (const block of blocks.slice(0, MAX_ENTRIES)) {
    const pieces = await piecesOfBlock(block, taken).catch(() => [
      note(`${nameOf(block)} is not valid.`),
    ]);
    yield pieces.filter((piece) => piece.kind !== 'text' || /\S/.test(piece.text));
  }
  const more = blocks.length - MAX_ENTRIES;
  if (more > 0) yield [note(`${more} more parts of the answer were left out.`)];
  // A server should repeat its structured content as a text, but does not have to.
  if (structuredContent !== undefined && !blocks.some(isFilledText))
    yield [text(jsonOf(structuredContent))];
  if (typeof unusable === 'number' && unusable > 0)
    yield [note(`${unusable} parts of the answer are not valid, or too many.`)];
}

/** A text for the model. */
export function text(words: string): TextPiece {
  const wellFormed = words.toWellFormed();
  return { kind: 'text', text: wellFormed, tokens: tokensOfText(wellFormed) };
}

/** A remark of this package, in brackets. The text of a tool may look the same. */
export const note = (words: string): TextPiece => text(`[${words}]`);

/** A remark in the place of a content. */
export function notGiven({ type, size }: Pick<MediaPiece, 'type' | 'size'>, reason: string) {
  return note(`${inOneLine(type)} of ${size} bytes: not given to the model. ${reason}`);
}

async function piecesOfBlock(block: ContentBlock, taken: TakenMedia): Promise<Piece[]> {
  const { audience } = block.annotations ?? {};
  if (audience?.includes('user') && !audience.includes('assistant'))
    return [note(`${nameOf(block)} is only for the user.`)];
  switch (block.type) {
    case 'text':
      return [text(block.text)];
    case 'resource_link':
      return [text(linkInWords(block))];
    case 'resource':
      return await piecesOfResource(block.resource, taken);
    case 'image':
    case 'audio': {
      const contents = { uri: block.type, mimeType: block.mimeType, blob: block.data };
      return [await mediaPiece(await sourceOf(contents, undefined), block.type, taken)];
    }
    default:
      return [note(`${nameOf(block)} is not given to the model.`)];
  }
}

async function piecesOfResource(contents: ResourceContents, taken: TakenMedia): Promise<Piece[]> {
  const source = await sourceOf(contents, undefined);
  if (source.kind === 'text') return [text(fenced(source, await textOf(source.bytes)))];
  return [text(provenance(source)), await mediaPiece(source, source.title, taken)];
}

async function mediaPiece(source: Source, name: string, taken: TakenMedia): Promise<Piece> {
  const { kind, type, bytes, pixels, tokens } = source;
  const size = sizeOf(bytes);
  const isMedia = kind === 'image' || kind === 'pdf';
  const reason = whyNotTaken(source, taken);
  if (!isMedia || reason) return notGiven({ type, size }, `${reason}`);
  return { kind, type, data: await base64Of(bytes), size, pixels, name, tokens };
}

function linkInWords({ uri, name, title, description, mimeType, size }: ResourceLink): string {
  const lines = [
    'A resource, which was not read:',
    `Title: ${inOneLine(title || name)}`,
    `URI: ${lineOf(uri)}`,
    mimeType !== undefined && `Type: ${inOneLine(mimeType)}`,
    size !== undefined && `Size: ${size} bytes`,
    description !== undefined && `Description: ${inOneLine(description)}`,
  ];
  return lines.filter((line) => line !== false).join('\n');
}

/**
 * The name of a block for a remark. A server of another revision may send types that this package does not
 * know.
 */
function nameOf(block: { type?: unknown } | null): string {
  const { type } = block ?? {};
  return `A part of the answer (${typeof type === 'string' ? inOneLine(type) : 'of no type'})`;
}

const isFilledText = (block: ContentBlock | null): boolean =>
  block?.type === 'text' && /\S/.test(block.text);

/** A value as JSON. A message on a port may contain values that JSON does not support. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '[The structured content of the answer is not JSON.]';
  }
}
