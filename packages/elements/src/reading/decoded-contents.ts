import type { ReadResourceResult, ResourceContents } from '@inpage-mcp/client';
import { decodeText, isTextType } from '@inpage-mcp/encoding';
import { blobOf } from './content-bytes.js';
import { BLOB_EXTENSION, sizeOf } from './content-size.js';
import { Slices } from './slices.js';
import { fieldsOf, textOf } from './gate.js';

/** The key under which a server of this project names the encoding of a text (docs/resources.md). */
const ENCODING_KEY = 'io.github.inpage-mcp/encoding';

/**
 * The maximum size of a text that is decoded. Larger texts stay bytes, of which a renderer shows the
 * beginning.
 */
const MAX_BYTES = 16_777_216;

/** The encoding of a text that is not UTF-8. */
export interface ReadEncoding {
  name: string;
  /** Whether the encoding is a guess, because the text does not state it. */
  isGuess: boolean;
}

/** The options of decoding contents. */
interface Options {
  /** The encoding to use instead of a guess. Default: none. */
  encoding: string | undefined;
  /** Whether the bytes may end within a character. Default: no. */
  isCut?: boolean;
  signal: AbortSignal;
}

/** Contents with texts instead of their bytes. */
interface Decoded {
  result: ReadResourceResult;
  encoding?: ReadEncoding | undefined;
}

/**
 * Decodes contents: bytes that are texts become texts, without byte order marks. The bytes stay in `_meta`,
 * for a download.
 */
export async function decodeContents(
  result: ReadResourceResult,
  options: Options,
): Promise<Decoded> {
  const contents: ResourceContents[] = [];
  let encoding: ReadEncoding | undefined;
  for (const one of result.contents) {
    const decoded = await decodeOne(one, options).catch(() => undefined);
    options.signal.throwIfAborted();
    contents.push(decoded?.contents ?? one);
    encoding ??= decoded?.encoding;
  }
  return { result: { ...result, contents }, encoding };
}

/** Decodes one content; `undefined` if it is not a text. */
async function decodeOne(
  contents: ResourceContents,
  { encoding: chosen, isCut, signal }: Options,
): Promise<{ contents: ResourceContents; encoding: ReadEncoding | undefined } | undefined> {
  if ('text' in contents) {
    const { name, isGuess } = fieldsOf(contents._meta?.[ENCODING_KEY]);
    const known = textOf(name)?.slice(0, 50);
    return {
      contents: withoutMark(contents, contents.text),
      encoding: known === undefined ? undefined : { name: known, isGuess: isGuess === true },
    };
  }
  if (!isTextType(contents.mimeType ?? '') || sizeOf(contents) > MAX_BYTES) return undefined;
  const slices = new Slices(signal, () => undefined);
  const bytes = await blobOf(contents, slices);
  const decoded = await decodeText(new Uint8Array(await bytes.arrayBuffer()), {
    encoding: chosen,
    isCut,
    pause: () => slices.next(),
  });
  if (!decoded) return undefined;
  const { text, encoding: name, isGuess } = decoded;
  const isUtf8 = name === 'utf-8' && !isGuess;
  return {
    contents: withoutMark(contents, text, bytes),
    encoding: isUtf8 ? undefined : { name, isGuess },
  };
}

function withoutMark(
  { uri, mimeType, _meta }: ResourceContents,
  text: string,
  bytes: Blob = new Blob([text]),
): ResourceContents {
  return {
    uri,
    mimeType,
    _meta: { ..._meta, [BLOB_EXTENSION]: bytes },
    text: text.replace(/^\uFEFF/, ''),
  };
}
