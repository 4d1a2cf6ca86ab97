import { decodeText } from '@inpage-mcp/encoding';
import { bufferOf } from '../database/blob-bytes.js';
import { toStoreError } from '../errors/store-error.js';
import { checkMediaType } from '../schema/limits.js';
import { isTransportStream, typeOfTextName } from './text-types.js';

/** The media type of a file of unknown type. */
const UNKNOWN = 'application/octet-stream';

/** The number of bytes that are examined: more than any signature, and enough to distinguish text. */
const SAMPLE_BYTES = 4_096;

/**
 * Resolves with the media type that was chosen, or else with that of the upload. Rejects with a `StoreError`.
 */
export async function resolveMediaType(
  path: string,
  blob: Blob,
  chosen: string | undefined,
): Promise<string> {
  if (chosen === undefined) {
    return await mediaTypeOf(path, blob).catch((error: unknown) => {
      throw toStoreError(error);
    });
  }
  checkMediaType(chosen);
  return chosen.toLowerCase();
}

/**
 * The media type of an upload: of text and code from its name, else from the browser, else from the name,
 * else from the first bytes. It is always in lower case, `type/subtype`, without parameters.
 */
async function mediaTypeOf(path: string, blob: Blob): Promise<string> {
  const textType = typeOfTextName(path);
  if (textType === 'text/typescript' && isTransportStream(await sampleOf(blob)))
    return 'video/mp2t';
  return textType ?? essence(blob.type) ?? (await typeOfName(path)) ?? (await sniff(blob));
}

/** The media type by the name of a file. The table is loaded on first use, not to delay the start. */
async function typeOfName(path: string): Promise<string | undefined> {
  const { default: table } = await import('mime/types/standard.js');
  const extension = /[^/]\.([^./]+)$/.exec(path.toLowerCase())?.[1] ?? '';
  const types: [type: string, extensions: readonly string[]][] = Object.entries(table);
  return types.find(([, extensions]) => extensions.includes(extension))?.[0];
}

/** Removes parameters and rejects invalid types: the string is passed to other programs. */
function essence(type: string): string | undefined {
  return /^[\w.+-]+\/[\w.+-]+(?=\s*(?:;|$))/.exec(type.toLowerCase())?.[0];
}

async function sampleOf(blob: Blob): Promise<Uint8Array> {
  return new Uint8Array(await bufferOf(blob.slice(0, SAMPLE_BYTES)));
}

async function sniff(blob: Blob): Promise<string> {
  const sample = await sampleOf(blob);
  const { filetypemime } = await import('./signatures.js');
  const [known] = filetypemime(sample);
  // The media type for UTF-16 has a parameter.
  if (known) return essence(known) ?? UNKNOWN;
  return (await isText(sample, sample.length < blob.size)) ? 'text/plain' : UNKNOWN;
}

/**
 * Whether a sample is text.
 *
 * @param isCut Whether the sample may end within a character.
 */
async function isText(sample: Uint8Array, isCut: boolean): Promise<boolean> {
  if (sample.length === 0) return false;
  const decoded = await decodeText(sample, { isCut });
  // A guess of the encoding accepts most unknown bytes as a text, so it does not count here.
  if (!decoded || decoded.isGuess) return false;
  return !/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(decoded.text);
}
