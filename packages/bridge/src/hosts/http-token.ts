import { areEqual, encodeBytes, hmac } from '../proof/bytes.js';

/**
 * The token that HTTP clients send: every user of the machine reaches its ports. It stays the same as
 * long as the state file, so that it can be written into the configuration of a client.
 */
export const httpToken = (secret: Uint8Array): string =>
  encodeBytes(hmac(secret, 'inpage-mcp http').subarray(0, 18));

/** Whether a request has the token: as a bearer token, or as `?token=` in its address. */
export function hasToken(request: Request, token: string): boolean {
  const bearer = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  const sent = bearer ?? new URL(request.url).searchParams.get('token') ?? '';
  return areEqual(Buffer.from(sent), Buffer.from(token));
}
