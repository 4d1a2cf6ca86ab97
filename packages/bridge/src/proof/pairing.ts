import { createECDH, hkdfSync, randomBytes, type ECDH } from 'node:crypto';
import { digest, encodeBytes, hmac } from './bytes.js';

/** The length of a public key of P-256, uncompressed, in bytes. */
export const PUBLIC_KEY_BYTES = 65;

/** The length of a nonce, a key and a proof, in bytes. */
export const NONCE_BYTES = 32;

/** The keys and the nonce that the bridge has chosen for one pairing. */
export interface PairingOffer {
  readonly ecdh: ECDH;
  readonly publicKey: Buffer;
  readonly nonce: Buffer;
}

/** The key and the nonce that the page has chosen for the pairing. */
export interface PairingReply {
  publicKey: Buffer;
  nonce: Buffer;
}

/** The values that both sides compute. */
export interface PairingOutcome {
  /** The key that both sides keep, 32 bytes. */
  key: Buffer;
  /** Identifies the pairing. */
  id: string;
  /** The code that the user compares, such as `123 456`. */
  code: string;
  /** The proof that a side sends when it agrees. */
  agreement: (side: 'bridge' | 'page') => Buffer;
}

/** Chooses a new key pair and a nonce. */
export function createOffer(): PairingOffer {
  const ecdh = createECDH('prime256v1');
  return { ecdh, publicKey: ecdh.generateKeys(), nonce: randomBytes(NONCE_BYTES) };
}

/**
 * Binds the bridge to its offer before it sees the page's reply. An attacker between the two can
 * therefore not search for a key with the same code.
 */
export const commitmentOf = ({ publicKey, nonce }: Omit<PairingOffer, 'ecdh'>): Buffer =>
  digest('commit', publicKey, nonce);

/**
 * Computes the key and the code. Both, and the agreements, depend on the origin and the port: with a program that
 * passes on their messages from another port, the sides share no key, even if the user accepts both codes.
 *
 * @throws {Error} if the public key of the page is not a point of the curve.
 */
export function completePairing(
  { ecdh, publicKey, nonce }: PairingOffer,
  reply: PairingReply,
  { origin, port }: { origin: string; port: number },
): PairingOutcome {
  const keys = [publicKey, reply.publicKey, nonce, reply.nonce];
  const transcript = digest(...keys, origin, String(port));
  const shared = ecdh.computeSecret(reply.publicKey);
  const key = Buffer.from(
    hkdfSync('sha256', shared, transcript, 'inpage-mcp bridge 1', NONCE_BYTES),
  );
  return {
    key,
    id: encodeBytes(digest('id', key).subarray(0, 12)),
    code: codeOf(digest('code', transcript)),
    agreement: (side) => hmac(key, `agree ${side}`, transcript),
  };
}

function codeOf(hash: Buffer): string {
  const digits = String(hash.readBigUInt64BE() % 1_000_000n).padStart(6, '0');
  return `${digits.slice(0, 3)} ${digits.slice(3)}`;
}
