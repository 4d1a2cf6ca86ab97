import { hmac } from './bytes.js';

/** What both sides of a connection know when they prove that they have the key of a pairing. */
export interface PageProofFacts {
  /** The id of the pairing. */
  id: string;
  /** The origin of the page, which the browser has stated. */
  origin: string;
  /** The port on which the bridge listens: a proof that was relayed from another port is wrong. */
  port: number;
  /** 32 bytes of the page, new for each connection. */
  pageNonce: Uint8Array;
  /** 32 bytes of the bridge, new for each connection. */
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
