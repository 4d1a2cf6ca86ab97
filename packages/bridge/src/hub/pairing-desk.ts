import { areEqual, decodeBytes, encodeBytes } from '../proof/bytes.js';
import {
  commitmentOf,
  completePairing,
  createOffer,
  NONCE_BYTES,
  PUBLIC_KEY_BYTES,
  type PairingOutcome,
} from '../proof/pairing.js';
import type { Pairing, StateFile } from '../state/state-file.js';
import { CloseCode, isObject } from '../wire/frames.js';
import { GreetingError, type Greeting } from '../wire/greeting.js';
import { CODE_TIMEOUT_MS } from '../wire/limits.js';
import type { PendingPairing } from '../wire/router.js';

/** If there were this many refusals within this time before now, in ms, the desk pairs no page. */
const MAX_REFUSALS = 3;
const LOCK_MS = 10 * 60_000;

/** Options of the desk. */
export interface PairingDeskOptions {
  state: StateFile;
  port: number;
  /** The name of a host that wants to be served, which the page shows; empty if there is none. */
  waitingHost: () => string;
  /** The origins of the pages that the user has configured. Unless it is empty, no other origin is paired. */
  expectedOrigins: () => readonly string[];
  /** Called when a pairing begins to wait for the user, and with `undefined` when it stops waiting. */
  onpending: (pairing: PendingPairing | undefined) => void;
}

/**
 * Pairs one page at a time. Any page on the web, and any program on the computer, can request a pairing.
 * So the user has to agree on both sides: in the page; and at a host, in a terminal or by the configuration.
 */
export class PairingDesk {
  readonly #options: PairingDeskOptions;
  readonly #refusals: number[] = [];
  #isBusy = false;
  #pending: { pairing: PendingPairing; settle: (isAccepted: boolean) => void } | undefined;

  constructor(options: PairingDeskOptions) {
    this.#options = options;
  }

  /** Takes the user's decision on the side of the bridge. A decision about another code is ignored. */
  answer(code: string, isAccepted: boolean): void {
    if (this.#pending?.pairing.code === code) this.#pending.settle(isAccepted);
  }

  /**
   * Pairs a page.
   *
   * @throws {GreetingError} if the page is not paired.
   */
  async pair(greeting: Greeting, origin: string): Promise<Pairing> {
    this.#requireFree(greeting);
    const expected = this.#options.expectedOrigins();
    if (expected.length > 0 && !expected.includes(origin)) throw refusal(greeting);
    this.#isBusy = true;
    try {
      return await this.#exchange(greeting, origin);
    } finally {
      this.#isBusy = false;
    }
  }

  #requireFree(greeting: Greeting): void {
    const since = Date.now() - LOCK_MS;
    while ((this.#refusals[0] ?? since) < since) this.#refusals.shift();
    const isLocked = this.#refusals.length >= MAX_REFUSALS;
    if (!isLocked && !this.#isBusy) return;
    const lockedMs = (this.#refusals.at(-MAX_REFUSALS) ?? since) - since;
    greeting.send('busy', isLocked ? { seconds: Math.ceil(lockedMs / 1_000) } : {});
    throw new GreetingError('Nothing can be paired now.', CloseCode.Refused);
  }

  async #exchange(greeting: Greeting, origin: string): Promise<Pairing> {
    const offer = createOffer();
    greeting.send('commit', {
      commitment: encodeBytes(commitmentOf(offer)),
      host: this.#options.waitingHost(),
    });
    const [kind, body] = await greeting.next();
    const publicKey = isObject(body) && decodeBytes(body['key'], PUBLIC_KEY_BYTES);
    const nonce = isObject(body) && decodeBytes(body['nonce'], NONCE_BYTES);
    if (kind !== 'key' || !publicKey || !nonce)
      throw new GreetingError('The page has sent no key.', CloseCode.Malformed);
    const { port } = this.#options;
    const outcome = completeOrRefuse(() =>
      completePairing(offer, { publicKey, nonce }, { origin, port }),
    );
    greeting.send('reveal', {
      key: encodeBytes(offer.publicKey),
      nonce: encodeBytes(offer.nonce),
    });
    await this.#compare(greeting, origin, outcome);
    return this.#keep(greeting, origin, outcome);
  }

  /** From here on, the user sees the code, so that an attacker has only one guess for each question. */
  async #compare(greeting: Greeting, origin: string, outcome: PairingOutcome): Promise<void> {
    const needsNobody = this.#isFirstOfExpected(origin);
    const pairing = { code: outcome.code, origin, needsAnswer: !needsNobody };
    const consent = this.#askPeople(pairing, greeting);
    try {
      await Promise.race([requireAgreement(greeting, outcome), onlyFailure(consent)]);
      // If the page closes the socket or sends a frame, it is not paired.
      if (!needsNobody) await Promise.race([consent, greeting.interruption()]);
    } catch (error) {
      this.#refusals.push(Date.now());
      throw error;
    } finally {
      this.#pending?.settle(true);
    }
  }

  /** The first pairing of a configured origin needs no answer on the side of the bridge. */
  #isFirstOfExpected(origin: string): boolean {
    const { state, expectedOrigins } = this.#options;
    const isKnown = state.pairings.some((pairing) => pairing.origin === origin);
    return !isKnown && expectedOrigins().includes(origin);
  }

  /** Rejects if the user refuses, or does not answer in time. */
  #askPeople(pairing: PendingPairing, greeting: Greeting): Promise<void> {
    const { onpending } = this.#options;
    return new Promise((resolve, reject) => {
      const settle = (isAccepted: boolean): void => {
        clearTimeout(timer);
        this.#pending = undefined;
        onpending(undefined);
        if (isAccepted) resolve();
        else reject(refusal(greeting));
      };
      const timer = setTimeout(() => settle(false), CODE_TIMEOUT_MS);
      this.#pending = { pairing, settle };
      onpending(pairing);
    });
  }

  #keep(greeting: Greeting, origin: string, { id, key, agreement }: PairingOutcome): Pairing {
    const pairing = { id, origin, key, pairedAt: new Date().toISOString() };
    this.#options.state.add(pairing);
    greeting.send('agreed', encodeBytes(agreement('bridge')));
    return pairing;
  }
}

function completeOrRefuse(complete: () => PairingOutcome): PairingOutcome {
  try {
    return complete();
  } catch {
    throw new GreetingError('The key of the page is not valid.', CloseCode.Malformed);
  }
}

async function requireAgreement(greeting: Greeting, { agreement }: PairingOutcome): Promise<void> {
  const [kind, proof] = await greeting.next(CODE_TIMEOUT_MS);
  const bytes = kind === 'agree' ? decodeBytes(proof, NONCE_BYTES) : undefined;
  if (bytes && areEqual(bytes, agreement('page'))) return;
  throw new GreetingError('The page has not agreed.', CloseCode.Refused);
}

/** Rejects if the promise rejects; never resolves. */
async function onlyFailure(promise: Promise<unknown>): Promise<never> {
  await promise;
  return new Promise<never>(() => undefined);
}

function refusal(greeting: Greeting): GreetingError {
  greeting.send('refuse');
  return new GreetingError('The page was refused.', CloseCode.Refused);
}
