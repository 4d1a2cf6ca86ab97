import { canDigest, hexOf, sha256 } from '../schema/digest.js';

/** A call of a write, as its retries are recognised. */
export interface Call {
  /** Which write: `notes.create`. */
  operation: string;
  /**
   * What it was called with, the defaults filled in and always in the same order. Bytes are in it by
   * their length and digest.
   */
  args: { readonly [name: string]: unknown };
}

/**
 * A short string that is the same for the same call, and another for any other: a SHA-256 of
 * operation and arguments. Keys of files that version 2 of the schema kept had another, which took
 * the bytes in otherwise: their retry is a conflict, for the day that keys are kept, and never a
 * second write.
 *
 * An insecure context has no SHA-256. There texts and bytes count by their length alone.
 */
export async function fingerprintOf({ operation, args }: Call): Promise<string> {
  if (!canDigest()) return JSON.stringify([operation, args], lengthOfText);
  const hash = await sha256(new TextEncoder().encode(JSON.stringify([operation, args])));
  // Twice: so it was when bytes followed, and keys of notes from then are still known.
  return hexOf(await sha256(hash));
}

function lengthOfText(name: string, value: unknown): unknown {
  return name === 'text' && typeof value === 'string' ? value.length : value;
}
