import { randomBytes } from 'node:crypto';
import { areEqual, decodeBytes, encodeBytes } from '../proof/bytes.js';
import { NONCE_BYTES } from '../proof/pairing.js';
import { pageProof } from '../proof/page-proof.js';
import type { Pairing, StateFile } from '../state/state-file.js';
import { CloseCode, isObject, type Frame } from '../wire/frames.js';
import { GreetingError, type Greeting } from '../wire/greeting.js';
import type { PairingDesk } from './pairing-desk.js';

/** The facts with which the hub checks a page. */
export interface PageGreetingFacts {
  /** The origin of the page, from the `Origin` header, which the browser sets. */
  origin: string;
  /** The port on which the hub listens. */
  port: number;
  state: StateFile;
  desk: PairingDesk;
}

const malformed = (): GreetingError =>
  new GreetingError('The page has sent what was not expected.', CloseCode.Malformed);

/**
 * Checks whether a page is paired. If the page requests a pairing, pairs it.
 *
 * @throws {GreetingError} if the page is not paired in the end.
 */
export async function greetPage(greeting: Greeting, facts: PageGreetingFacts): Promise<Pairing> {
  const [kind, body] = await greeting.next();
  if (kind === 'pair') return facts.desk.pair(greeting, facts.origin);
  if (kind !== 'hello') throw malformed();
  const pairing = await checkPage(greeting, body, facts);
  if (pairing) return pairing;
  greeting.send('unknown');
  const [next] = await greeting.next();
  if (next !== 'pair') throw malformed();
  return facts.desk.pair(greeting, facts.origin);
}

/** The pairing that the page has proved; `undefined` if the bridge does not know it. */
async function checkPage(
  greeting: Greeting,
  hello: Frame[1],
  { origin, port, state }: PageGreetingFacts,
): Promise<Pairing | undefined> {
  if (!isObject(hello) || hello['version'] !== 1) throw malformed();
  const pageNonce = decodeBytes(hello['nonce'], NONCE_BYTES);
  const { pairing: id } = hello;
  if (!pageNonce) throw malformed();
  // The id of another origin gets the same answer as an id that does not exist.
  const pairing = typeof id === 'string' ? state.find(id, origin) : undefined;
  if (!pairing) return undefined;
  const bridgeNonce = randomBytes(NONCE_BYTES);
  const proofFacts = { id: pairing.id, origin, port, pageNonce, bridgeNonce };
  greeting.send('challenge', {
    nonce: encodeBytes(bridgeNonce),
    pairing: pairing.id,
    proof: encodeBytes(pageProof(pairing.key, 'bridge', proofFacts)),
  });
  const [kind, proof] = await greeting.next();
  if (kind !== 'proof') throw malformed();
  const bytes = decodeBytes(proof, NONCE_BYTES);
  const isProven = bytes && areEqual(bytes, pageProof(pairing.key, 'page', proofFacts));
  // The user may have deleted the pairing since the challenge.
  if (isProven && state.find(pairing.id, origin)) return pairing;
  throw new GreetingError('The proof of the page is wrong.', CloseCode.WrongProof);
}
