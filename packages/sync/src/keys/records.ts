import { MAX_RECORD_BYTES } from '../remotes/remote.js';
import { type Bytes, concatBytes, encodeUtf8 } from './bytes.js';
import { checkPayload, type Payload } from './payload.js';
import { RecordError } from './record-error.js';
import { seal, SEAL_BYTES, unseal } from './sealing.js';
import { nameOf, type VaultKeys } from './vault-keys.js';

/** The format that is written, in the first byte. The second byte is the generation of the key. */
const FORMAT = 1;
const HEADER_BYTES = 2;
/** The number of bytes of the content's length, which comes before the content. */
const LENGTH_BYTES = 4;
/** The size of a block: contents are padded to a multiple of it, so that a size reveals little. */
const BLOCK_BYTES = 256;

/** The maximum size of the content of a record, in bytes after compression. */
export const MAX_CONTENT_BYTES =
  Math.floor((MAX_RECORD_BYTES - HEADER_BYTES - SEAL_BYTES) / BLOCK_BYTES) * BLOCK_BYTES -
  LENGTH_BYTES;

/** The maximum size of a piece of a file, in bytes: half a piece of the store. */
export const MAX_PIECE_BYTES = 512 * 1024;

/**
 * The maximum size of a payload, in bytes of JSON: a note of 8 MiB, each character of which takes six in
 * JSON, and its other fields. A hostile device can use up this amount of memory.
 */
export const MAX_PAYLOAD_BYTES = 49 * 1024 * 1024;

/**
 * Seals a payload as the record of a name.
 *
 * @returns The record; `too-large` if it exceeds the limit of a server. Then seal the parts of
 *   {@link packPayload} as pieces, and a payload with their names instead.
 */
export async function sealRecord(
  keys: VaultKeys,
  name: string,
  payload: Payload,
): Promise<Bytes | 'too-large'> {
  const packed = await packPayload(payload);
  if (packed.length > MAX_CONTENT_BYTES) return 'too-large';
  return await sealContent(keys, `record ${name}`, packed);
}

/**
 * Opens the record of a name.
 *
 * @throws {RecordError}
 */
export async function openRecord(
  keys: VaultKeys,
  name: string,
  record: Uint8Array,
): Promise<Payload> {
  const packed = await openContent(keys, `record ${name}`, record);
  return await unpackPayload(keys, name, packed);
}

/**
 * Seals a piece of at most {@link MAX_PIECE_BYTES}.
 *
 * @throws {RangeError} if it is larger.
 */
export async function sealPiece(keys: VaultKeys, name: string, bytes: Bytes): Promise<Bytes> {
  if (bytes.length > MAX_PIECE_BYTES) {
    throw new RangeError(`A piece has ${bytes.length} bytes; at most ${MAX_PIECE_BYTES} fit.`);
  }
  return await sealContent(keys, `piece ${name}`, bytes);
}

/**
 * Opens the piece of a name.
 *
 * @throws {RecordError}
 */
export async function openPiece(
  keys: VaultKeys,
  name: string,
  piece: Uint8Array,
): Promise<Uint8Array> {
  return await openContent(keys, `piece ${name}`, piece);
}

/** A payload as compressed JSON. */
export async function packPayload(payload: Payload): Promise<Bytes> {
  const json = encodeUtf8(JSON.stringify(payload));
  const chunks: Bytes[] = [];
  for await (const chunk of transformed(json, new CompressionStream('deflate-raw')))
    chunks.push(chunk);
  return concatBytes(...chunks);
}

/**
 * The payload of a name, from {@link packPayload}.
 *
 * @throws {RecordError} also if it is the payload of another name
 */
export async function unpackPayload(
  keys: VaultKeys,
  name: string,
  packed: Bytes,
): Promise<Payload> {
  const payload = checkPayload(parseJson(await inflate(packed)));
  if ((await nameOf(keys, payload.kind, payload.key)) !== name) {
    throw new RecordError('invalid', 'The record contains an entry of another name.');
  }
  return payload;
}

async function sealContent(keys: VaultKeys, context: string, content: Bytes): Promise<Bytes> {
  const size = LENGTH_BYTES + content.length;
  const padded = new Uint8Array(Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES);
  new DataView(padded.buffer).setUint32(0, content.length);
  padded.set(content, LENGTH_BYTES);
  const generation = keys.records.length;
  const sealed = await seal(keys.records.at(-1)!, padded, contextOf(generation, context));
  return concatBytes(Uint8Array.of(FORMAT, generation), sealed);
}

async function openContent(keys: VaultKeys, context: string, bytes: Uint8Array): Promise<Bytes> {
  const [format = 0, generation = 0] = bytes;
  if (format > FORMAT) throw new RecordError('newer', 'A later version has written the record.');
  if (format !== FORMAT || generation === 0 || bytes.length > MAX_RECORD_BYTES) throw damaged();
  const key = keys.records[generation - 1];
  if (!key) throw new RecordError('unknown-key', 'This device does not have the key yet.');
  const sealed = new Uint8Array(bytes.subarray(HEADER_BYTES));
  const padded = await unseal(key, sealed, contextOf(generation, context));
  if (!padded || padded.length < LENGTH_BYTES) throw damaged();
  const size = new DataView(padded.buffer).getUint32(0);
  if (size > padded.length - LENGTH_BYTES) throw damaged();
  return padded.subarray(LENGTH_BYTES, LENGTH_BYTES + size);
}

function contextOf(generation: number, context: string): string {
  return `${FORMAT} ${generation} ${context}`;
}

function parseJson(bytes: Bytes): unknown {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return JSON.parse(decoder.decode(bytes));
  } catch (error) {
    throw new RecordError('invalid', 'The record does not contain JSON.', { cause: error });
  }
}

async function inflate(packed: Bytes): Promise<Bytes> {
  const chunks: Bytes[] = [];
  let size = 0;
  try {
    for await (const chunk of transformed(packed, new DecompressionStream('deflate-raw'))) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_PAYLOAD_BYTES) break;
    }
  } catch (error) {
    throw new RecordError('invalid', 'The record is not compressed.', { cause: error });
  }
  if (size <= MAX_PAYLOAD_BYTES) return concatBytes(...chunks);
  throw new RecordError('too-large', `The record has more than ${MAX_PAYLOAD_BYTES} bytes.`);
}

/**
 * The output of a stream for some bytes. It does not use a pipe, which takes twice as long for a short text.
 */
async function* transformed(
  bytes: Bytes,
  { writable, readable }: CompressionStream | DecompressionStream,
): AsyncGenerator<Bytes> {
  const writer = writable.getWriter();
  // The reader gets the error.
  writer.write(bytes).catch(() => undefined);
  writer.close().catch(() => undefined);
  const reader = readable.getReader();
  try {
    for (let part = await reader.read(); part.value; part = await reader.read()) yield part.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function damaged(): RecordError {
  return new RecordError('damaged', 'The record is damaged, or belongs to another name.');
}
