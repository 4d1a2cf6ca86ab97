import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** A part of the hashed data: a text, which is hashed after its length, or binary data of a fixed length. */
export type Part = string | Uint8Array;

/** The bytes that are hashed. Different lists of parts never give the same bytes. */
function joinParts(parts: readonly Part[]): Buffer {
  return Buffer.concat(parts.flatMap((part) => (typeof part === 'string' ? text(part) : [part])));
}

function text(part: string): Buffer[] {
  const bytes = Buffer.from(part, 'utf8');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return [length, bytes];
}

/** SHA-256 of the parts. */
export const digest = (...parts: Part[]): Buffer =>
  createHash('sha256').update(joinParts(parts)).digest();

/** HMAC-SHA256 of the parts. */
export const hmac = (key: Uint8Array, ...parts: Part[]): Buffer =>
  createHmac('sha256', key).update(joinParts(parts)).digest();

/** Compares in a time that does not depend on the content. */
export const areEqual = (left: Uint8Array, right: Uint8Array): boolean =>
  left.length === right.length && timingSafeEqual(left, right);

/** Binary data as it is written in messages and in the state file: base64url without padding. */
export const encodeBytes = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

/**
 * Reads binary data of a message.
 *
 * @returns `undefined` if the value is not base64url of exactly this length, in bytes.
 */
export function decodeBytes(value: unknown, length: number): Buffer | undefined {
  if (typeof value !== 'string' || !/^[\w-]+$/.test(value)) return undefined;
  const bytes = Buffer.from(value, 'base64url');
  return bytes.length === length ? bytes : undefined;
}
