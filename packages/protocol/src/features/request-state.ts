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
      return `${inHex(new Uint8Array(signature))}${body}`;
    },
    async verify(state) {
      const signature = fromHex(state.slice(0, 64));
      const body = state.slice(64);
      const isOwn =
        signature !== undefined &&
        (await crypto.subtle.verify('HMAC', await key(), signature, utf8.encode(body)));
      if (!isOwn) throw new Error('The state was not made with this key.');
      const [expires, payload] = JSON.parse(body) as [number, Payload];
      if (expires < Date.now() / 1_000) throw new Error('The state is too old.');
      return payload;
    },
  };
}

function inHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function fromHex(hex: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[0-9a-f]{64}$/.test(hex)) return undefined;
  return Uint8Array.from({ length: 32 }, (_, index) =>
    Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16),
  );
}
