import { RuntimeError } from '../worker/runtime-error.js';
import type { BridgeSocket, Frame } from './bridge-socket.js';
import { fromBase64url, joinBytes, randomBytes, toBase64url, type Bytes } from './bytes.js';
import type { PairingQuestion } from './desktop-types.js';
import type { Pairing } from './key-store.js';
import { nameIn } from './names.js';
import { sign, verify } from './proofs.js';
import { COMPARING_MS, UNPROVEN, VERSION } from './wire.js';

/** The length of an uncompressed point of P-256. */
const PUBLIC_KEY_LENGTH = 65;
const CURVE = { name: 'ECDH', namedCurve: 'P-256' };

const PAIRING_ID_LENGTH = 12;

/**
 * Agrees on a key with a bridge that the page does not know yet. The user compares the codes of both sides: a
 * program between the two would get a different code on each side, because the commitment prevents it from
 * choosing its key after it has seen the key of the page. This module is loaded only for a pairing.
 *
 * @param ask Asks the user.
 * @throws {RuntimeError} `refused` or `busy` if either side refuses; `wrong-bridge` if the bridge violates
 *   its commitment, or agrees on another key; or the reason why the connection has ended.
 */
export async function pair(
  socket: BridgeSocket,
  port: number,
  ask: (question: PairingQuestion) => boolean | Promise<boolean>,
): Promise<Pairing> {
  /** The next frame of this kind, unless the bridge refuses. */
  const next = async (kind: string): Promise<Frame> => {
    const frame = await socket.next(kind, 'busy', 'refuse');
    if (frame[0] === 'busy')
      throw new RuntimeError(
        'busy',
        'The bridge pairs with another page, or was refused too often. Try again later.',
      );
    if (frame[0] === 'refuse')
      throw new RuntimeError('refused', 'The pairing was refused in the desktop app.');
    return frame;
  };
  const keys = await crypto.subtle.generateKey(CURVE, false, ['deriveBits']);
  const ownKey = new Uint8Array(await crypto.subtle.exportKey('raw', keys.publicKey));
  const own = randomBytes();
  socket.send('pair', { version: VERSION });
  const { commitment, host } = fieldsOf(await next('commit'));
  socket.send('key', { key: toBase64url(ownKey), nonce: toBase64url(own) });
  const reveal = fieldsOf(await next('reveal'));
  const theirKey = fromBase64url(reveal['key'], PUBLIC_KEY_LENGTH);
  const theirs = fromBase64url(reveal['nonce']);
  if (commitment !== toBase64url(await hash('commit', theirKey, theirs)))
    throw socket.close('wrong-bridge', UNPROVEN);

  // The transcript contains the origin and the port, too. So with a program that passes on the messages from
  // another port, the sides share no key, even if the user accepts both codes.
  const transcript = await hash(theirKey, ownKey, theirs, own, location.origin, `${port}`);
  const secret = await deriveSecret(keys.privateKey, theirKey, transcript);
  const code = await hash('code', transcript);
  socket.wait(COMPARING_MS);
  const agreed = next('agreed');
  // If `ask` throws, nothing else handles a rejection.
  agreed.catch(() => undefined);
  const question = { code: codeIn(code), host: nameIn(host), signal: socket.ended };
  // The question also ends if the bridge disconnects or refuses.
  const answer = await Promise.race([ask(question), agreed]);
  // The bridge has agreed before the user has.
  if (Array.isArray(answer)) throw socket.close('wrong-bridge', UNPROVEN);
  if (answer !== true) {
    socket.send('refuse');
    throw new RuntimeError('refused', 'You have refused the pairing.');
  }
  // The user may have to agree on the side of the bridge, too.
  socket.wait(COMPARING_MS);
  // The user has compared the codes.
  socket.trust();
  const key = await importKey(secret);
  socket.send('agree', await sign(key, 'agree page', transcript));
  const [, signature] = await agreed;
  if (!(await verify(key, signature, 'agree bridge', transcript)))
    throw socket.close('wrong-bridge', UNPROVEN);
  const id = (await hash('id', secret)).slice(0, PAIRING_ID_LENGTH);
  return { id: toBase64url(id), key };
}

async function hash(...values: (string | Bytes)[]): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', joinBytes(values)));
}

/**
 * The secret of the pairing: ECDH, then HKDF, bound to the messages of both sides, and to the origin and the
 * port.
 */
async function deriveSecret(privateKey: CryptoKey, theirs: Bytes, salt: Bytes): Promise<Bytes> {
  const { subtle } = crypto;
  const publicKey = await subtle.importKey('raw', theirs, CURVE, false, []);
  const shared = await subtle.deriveBits({ name: 'ECDH', public: publicKey }, privateKey, 256);
  const material = await subtle.importKey('raw', shared, 'HKDF', false, ['deriveBits']);
  const info = new TextEncoder().encode(`inpage-mcp bridge ${VERSION}`);
  const how = { name: 'HKDF', hash: 'SHA-256', salt, info };
  return new Uint8Array(await subtle.deriveBits(how, material, 256));
}

/** Imports a key that no script can read. */
async function importKey(bytes: Bytes): Promise<CryptoKey> {
  const how = { name: 'HMAC', hash: 'SHA-256' };
  return await crypto.subtle.importKey('raw', bytes, how, false, ['sign', 'verify']);
}

/** The code of six digits, such as `123 456`. */
function codeIn(bytes: Bytes): string {
  const number = new DataView(bytes.buffer).getBigUint64(0) % 1_000_000n;
  return `${number}`.padStart(6, '0').replace(/^.../, '$& ');
}

/** The fields of the first value of a frame. */
function fieldsOf([, value]: Frame): { [name: string]: unknown } {
  return Object(value) as { [name: string]: unknown };
}
