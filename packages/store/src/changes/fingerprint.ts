import { canDigest, hexOf, sha256 } from '../schema/digest.js';

/** A call of a write, to recognize its retries. */
export interface Call {
  /** The name of the operation, like `notes.create`. */
  operation: string;
  /**
   * The arguments with all defaults, always in the same order. Bytes are represented by their length and
   * digest.
   */
  args: { readonly [name: string]: unknown };
}

/**
 * A short string that identifies a call: a SHA-256 of operation and arguments. For files, version 2 of
 * the schema hashed the bytes in another way: the retry of such a write is a conflict, for the day that
 * keys are kept, and never a second write.
 *
 * An insecure context has no SHA-256. There texts and bytes are compared only by their length.
 */
export async function fingerprintOf({ operation, args }: Call): Promise<string> {
  if (!canDigest()) return JSON.stringify([operation, args], lengthOfText);
  const hash = await sha256(new TextEncoder().encode(JSON.stringify([operation, args])));
  // Hashed twice, as in the version that also hashed bytes: its keys of notes stay valid.
  return hexOf(await sha256(hash));
}

function lengthOfText(name: string, value: unknown): unknown {
  return name === 'text' && typeof value === 'string' ? value.length : value;
}
