import { requestText, type RequestOfCall } from '../calls/carried-answers.js';

/** Signs states of calls, and verifies them. */
export interface RequestStateCodec<Payload> {
  /**
   * Makes a signed state for `inputRequired`. It is not encrypted: the client can read it.
   *
   * @param call The call that asks. The state is valid only for its method and params.
   */
  mint(payload: Payload, call: RequestOfCall): Promise<string>;
  /**
   * Returns the payload of a state: pass this as `requestState.verify`.
   *
   * @throws if the state was not made with this key and for this request, or is too old.
   */
  verify(state: string, call: RequestOfCall): Promise<Payload>;
}

/** The options of {@link createRequestStateCodec}. */
export interface RequestStateCodecOptions {
  /** The secret key, at least 32 bytes. */
  key: Uint8Array<ArrayBuffer>;
  /** The time for which a state is valid, in seconds. Default: 600. */
  ttlSeconds?: number | undefined;
}

const HMAC = { name: 'HMAC', hash: 'SHA-256' };

/** The length of a signature: 32 bytes in base64. */
const SIGNATURE_LENGTH = 44;

/**
 * Makes a codec for the state of a call while its client is asked. The state travels through the
 * client, which could change it, so it is signed (HMAC-SHA-256), but not encrypted.
 *
 * @throws {RangeError} if the key is too short.
 */
export function createRequestStateCodec<Payload>({
  key: bytes,
  ttlSeconds = 600,
}: RequestStateCodecOptions): RequestStateCodec<Payload> {
  if (bytes.length < 32) throw new RangeError('The key must have at least 32 bytes.');
  let imported: Promise<CryptoKey> | undefined;
  const key = (): Promise<CryptoKey> =>
    (imported ??= crypto.subtle.importKey('raw', bytes, HMAC, false, ['sign', 'verify']));
  return {
    async mint(payload, call) {
      const body = JSON.stringify([Math.floor(Date.now() / 1_000) + ttlSeconds, payload]);
      const signature = await crypto.subtle.sign('HMAC', await key(), signed(body, call));
      return btoa(String.fromCharCode(...new Uint8Array(signature))) + body;
    },
    async verify(state, call) {
      const signature = bytesOf(state.slice(0, SIGNATURE_LENGTH));
      const body = state.slice(SIGNATURE_LENGTH);
      const isOwn = await crypto.subtle.verify('HMAC', await key(), signature, signed(body, call));
      if (!isOwn) throw new Error('The state was not made with this key for this request.');
      const [expires, payload] = JSON.parse(body) as [number, Payload];
      if (expires < Date.now() / 1_000) throw new Error('The state is too old.');
      return payload;
    },
  };
}

/** The text that is signed: it contains the request, which is not sent with the state. */
function signed(body: string, call: RequestOfCall): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${body}\n${requestText(call)}`);
}

/** The bytes of a base64 text; no bytes if it is not base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
