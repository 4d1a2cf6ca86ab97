import type { CallToolResult } from '../api/tool-types.js';
import { base64Of, textOf } from '../context/bytes.js';
import type { Kind } from '../context/media-type.js';
import { fenced, lineOf, provenance } from '../context/plain-text.js';
import { inOneLine, sourceOf, type Source } from '../context/source.js';
import type { ContentBlock, ResourceContents, ResourceLink } from '@inpage-mcp/protocol/types';

/** A part of the answer of a tool, before it is written in a format. */
export type Piece = TextPiece | MediaPiece;

interface TextPiece {
  kind: 'text';
  text: string;
  /** An estimate. */
  tokens: number;
}

/** An image, or a PDF. */
export interface MediaPiece {
  kind: 'image' | 'pdf';
  /** The media type. */
  type: string;
  /** Base64. */
  data: string;
  /** In one line. */
  name: string;
  /** An estimate. */
  tokens: number;
}

/**
 * The pieces of an answer for the model: at least one, and no empty text. A remark replaces each part that
 * the model does not accept. Never throws: the tool may have changed data, and if the model gets an error
 * instead of the answer, it calls the tool again.
 *
 * @param takes The media that the model accepts.
 */
export async function piecesOf(result: CallToolResult, takes: readonly Kind[]): Promise<Piece[]> {
  const found = await Promise.all(
    result.content.map((block) =>
      piecesOfBlock(block, takes).catch(() => [note(`${nameOf(block)} is not valid.`)]),
    ),
  );
  const pieces = found.flat().filter((piece) => piece.kind !== 'text' || /\S/.test(piece.text));
  // A server should repeat its structured content as a text, but does not have to.
  if (result.structuredContent !== undefined && !result.content.some(isFilledText))
    pieces.push(text(jsonOf(result.structuredContent)));
  if (result.unusable) pieces.push(note(`${result.unusable} parts of the answer are not valid.`));
  return pieces.length > 0 ? pieces : [note('The tool has run, but returned no content.')];
}

/** A text for the model. */
export function text(words: string): TextPiece {
  return { kind: 'text', text: words, tokens: Math.ceil(new Blob([words]).size / 4) };
}

/** A remark of this package, in brackets. The text of a tool may look the same. */
export const note = (words: string): TextPiece => text(`[${words}]`);

async function piecesOfBlock(block: ContentBlock, takes: readonly Kind[]): Promise<Piece[]> {
  const { audience } = block.annotations ?? {};
  if (audience?.includes('user') && !audience.includes('assistant'))
    return [note(`${nameOf(block)} is only for the user.`)];
  switch (block.type) {
    case 'text':
      return [text(block.text)];
    case 'resource_link':
      return [text(linkInWords(block))];
    case 'resource':
      return await piecesOfResource(block.resource, takes);
    case 'image':
    case 'audio': {
      const contents = { uri: block.type, mimeType: block.mimeType, blob: block.data };
      return [await mediaPiece(sourceOf(contents, undefined), block.type, takes)];
    }
    default:
      return [note(`${nameOf(block)} is not given to the model.`)];
  }
}

async function piecesOfResource(
  contents: ResourceContents,
  takes: readonly Kind[],
): Promise<Piece[]> {
  const source = sourceOf(contents, undefined);
  if (source.kind === 'text') return [text(fenced(source, await textOf(source.bytes)))];
  return [text(provenance(source)), await mediaPiece(source, source.title, takes)];
}

async function mediaPiece(source: Source, name: string, takes: readonly Kind[]): Promise<Piece> {
  const { kind, type, bytes, tokens } = source;
  const isMedia = kind === 'image' || kind === 'pdf';
  if (!isMedia || !takes.includes(kind) || bytes.size === 0)
    return note(`${inOneLine(type)} of ${bytes.size} bytes: not given to the model.`);
  return { kind, type, data: await base64Of(bytes), name, tokens };
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

/** A server of another revision may send types that this package does not know. */
function nameOf({ type }: { type: string }): string {
  return `A part of the answer (${inOneLine(type)})`;
}

const isFilledText = (block: ContentBlock): boolean =>
  block.type === 'text' && /\S/.test(block.text);

/** A message on a port may contain values that JSON does not support. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '[The structured content of the answer is not JSON.]';
  }
}
