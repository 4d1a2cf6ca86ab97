import { hmac } from './bytes.js';

/** The nonces of a connection between two bridge processes, 32 bytes each, and its port. */
export interface ProcessProofFacts {
  port: number;
  /** The nonce from the process that has connected. */
  nonce: Uint8Array;
  /** The nonce from the hub. */
  hubNonce: Uint8Array;
}

/** Proves that a process can read the state file, so that it belongs to the same user. */
export function processProof(
  secret: Uint8Array,
  side: 'hub' | 'process',
  { port, nonce, hubNonce }: ProcessProofFacts,
): Buffer {
  return hmac(secret, `inpage-mcp ${side}`, String(port), nonce, hubNonce);
}
