import type { BridgeSocket } from './bridge-socket.js';
import { fromBase64url, randomBytes, toBase64url } from './bytes.js';
import type { Pairing } from './key-store.js';
import { sign, verify } from './proofs.js';
import { UNPROVEN, VERSION } from './wire.js';

/**
 * Proves to the bridge that the page knows the key, and checks the proof of the bridge. Both proofs contain
 * the origin and the port, so that a program on another port cannot relay the messages.
 *
 * @returns Whether the bridge knows the pairing.
 * @throws {RuntimeError} `wrong-bridge` if the proof is wrong; or the reason why the connection has ended.
 */
export async function prove(
  socket: BridgeSocket,
  port: number,
  { id, key }: Pairing,
): Promise<boolean> {
  const own = randomBytes();
  socket.send('hello', { version: VERSION, nonce: toBase64url(own), pairing: id });
  const [kind, value] = await socket.next('challenge', 'unknown');
  if (kind === 'unknown') return false;
  const { nonce, proof } = Object(value) as { [name: string]: unknown };
  const proven = [id, location.origin, `${port}`, own, fromBase64url(nonce)];
  if (!(await verify(key, proof, 'bridge', ...proven)))
    throw socket.close('wrong-bridge', UNPROVEN);
  socket.trust();
  socket.send('proof', await sign(key, 'page', ...proven));
  await socket.next('welcome');
  return true;
}
