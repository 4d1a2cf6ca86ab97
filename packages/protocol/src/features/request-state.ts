/** Seals states of calls, and opens them again. */
export interface RequestStateCodec<Payload> {
  /** A state for `inputRequired`, which only this codec can have made. It can be read by anyone. */
  mint(payload: Payload): Promise<string>;
  /**
   * What a state was made of: pass this as `requestState.verify`.
   *
   * @throws for a state that was not made with this key, or too long ago.
   */
  verify(state: string): Promise<Payload>;
}

/** How to make a {@link RequestStateCodec}. */
export interface RequestStateCodecOptions {
  /** At least 32 bytes, which nobody else knows. */
  key: Uint8Array<ArrayBuffer>;
  /** How long a state holds, in seconds. Default: 600. */
  ttlSeconds?: number;
}

const HMAC = { name: 'HMAC', hash: 'SHA-256' };

/** 32 bytes in base64. */
const SIGNATURE_LENGTH = 44;

const utf8 = new TextEncoder();

/**
 * Signs what a call has to remember while its client is asked: the state travels through the client,
 * and comes back as whatever the client likes (HMAC-SHA-256). It is signed, not encrypted.
 *
 * @throws {RangeError} for a key that is too short.
 */
export function createRequestStateCodec<Payload>({
  key: bytes,
  ttlSeconds = 600,
}: RequestStateCodecOptions): RequestStateCodec<Payload> {
  if (bytes.length < 32) throw new RangeError('The key of a state has at least 32 bytes.');
  let imported: Promise<CryptoKey> | undefined;
  const key = (): Promise<CryptoKey> =>
    (imported ??= crypto.subtle.importKey('raw', bytes, HMAC, false, ['sign', 'verify']));
  return {
    async mint(payload) {
      const body = JSON.stringify([Math.floor(Date.now() / 1_000) + ttlSeconds, payload]);
      const signature = await crypto.subtle.sign('HMAC', await key(), utf8.encode(body));
      return btoa(String.fromCharCode(...new Uint8Array(signature))) + body;
    },
    async verify(state) {
      const signature = bytesOf(state.slice(0, SIGNATURE_LENGTH));
      const body = utf8.encode(state.slice(SIGNATURE_LENGTH));
      const isOwn = await crypto.subtle.verify('HMAC', await key(), signature, body);
      if (!isOwn) throw new Error('The state was not made with this key.');
      const [expires, payload] = JSON.parse(state.slice(SIGNATURE_LENGTH)) as [number, Payload];
      if (expires < Date.now() / 1_000) throw new Error('The state is too old.');
      return payload;
    },
  };
}

/** No bytes for what is not base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
