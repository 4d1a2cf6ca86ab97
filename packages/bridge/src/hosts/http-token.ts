import { areEqual, encodeBytes, hmac } from '../proof/bytes.js';

/**
 * The token that HTTP clients must send, because every user of the computer can connect to the port. It stays
 * the same as long as the state file exists, so that users can write it into the configuration of a client.
 */
export const httpToken = (secret: Uint8Array): string =>
  encodeBytes(hmac(secret, 'inpage-mcp http').subarray(0, 18));

/** Whether a request has the token: as a bearer token, or as `?token=` in its address. */
export function hasToken(authorization: string | undefined, url: URL, token: string): boolean {
  const bearer = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1];
  const sent = bearer ?? url.searchParams.get('token') ?? '';
  return areEqual(Buffer.from(sent), Buffer.from(token));
}
