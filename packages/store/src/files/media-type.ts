import { bufferOf } from '../database/blob-bytes.js';

/** What a file is when nothing says more. */
const UNKNOWN = 'application/octet-stream';

/** How many bytes decide. Longer than any signature; long enough to tell text from noise. */
const SAMPLE_BYTES = 4_096;

/**
 * The media type of an upload: what the browser says, else what the name says, else what the first
 * bytes say. Always lower case, `type/subtype`, without parameters.
 */
export async function mediaTypeOf(path: string, blob: Blob): Promise<string> {
  return essence(blob.type) ?? (await namedType(path)) ?? (await sniff(blob));
}

/** Its table is made with the first name that is asked for: no start waits for it. */
async function namedType(path: string): Promise<string | null> {
  const { default: mime } = await import('mime/lite');
  return mime.getType(path);
}

/** Drops parameters, and what is no media type at all: the string reaches other programs. */
function essence(type: string): string | undefined {
  return /^[\w.+-]+\/[\w.+-]+(?=\s*(?:;|$))/.exec(type.toLowerCase())?.[0];
}

async function sniff(blob: Blob): Promise<string> {
  const sample = new Uint8Array(await bufferOf(blob.slice(0, SAMPLE_BYTES)));
  const { filetypemime } = await import('./signatures.js');
  const [known] = filetypemime(sample);
  if (known) return known;
  return isText(sample, sample.length < blob.size) ? 'text/plain' : UNKNOWN;
}

/** Whether the bytes are UTF-8 without control characters of binary formats. */
function isText(sample: Uint8Array, cut: boolean): boolean {
  if (sample.length === 0) return false;
  try {
    // `stream` forgives a character that the end of the sample cuts in two.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: cut });
    return !/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text);
  } catch {
    return false;
  }
}
