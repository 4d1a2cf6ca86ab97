import { hmac } from './bytes.js';

/** The facts in a proof that a side has the key of a pairing. Both sides know them. */
export interface PageProofFacts {
  /** The id of the pairing. */
  id: string;
  /** The origin of the page, as the browser reports it. */
  origin: string;
  /** The port on which the bridge listens. A proof that was relayed from another port is therefore wrong. */
  port: number;
  /** 32 random bytes from the page, new for each connection. */
  pageNonce: Uint8Array;
  /** 32 random bytes from the bridge, new for each connection. */
  bridgeNonce: Uint8Array;
}

/** The proof of one side. */
export function pageProof(
  key: Uint8Array,
  side: 'bridge' | 'page',
  { id, origin, port, pageNonce, bridgeNonce }: PageProofFacts,
): Buffer {
  return hmac(key, side, id, origin, String(port), pageNonce, bridgeNonce);
}
