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

/** The number of refusals of an origin within `LOCK_MS` after which none of its pages is paired. */
const MAX_REFUSALS = 3;
const LOCK_MS = 10 * 60_000;

/** The maximum number of pages that are being paired at once, each of another origin. */
const MAX_AT_ONCE = 16;

/** Options of a {@link PairingDesk}. */
export interface PairingDeskOptions {
  state: StateFile;
  port: number;
  /** The name of a host that wants to be served, which the page shows; empty if no host waits. */
  waitingHost: () => string;
  /**
   * The origins of the pages that the user has configured. Unless the list is empty, no other origin is
   * paired.
   */
  expectedOrigins: () => readonly string[];
  /** Called when a pairing begins to wait for the user, and with `undefined` when it stops waiting. */
  onpending: (pairing: PendingPairing | undefined) => void;
}

/**
 * Pairs one page of an origin at a time. Any page on the web, and any program on the computer, can request a pairing.
 * So the user has to agree on both sides: in the page; and at a host, in a terminal or by the configuration.
 */
export class PairingDesk {
  readonly #options: PairingDeskOptions;
  /** The times of refusals, by origin, so that a page cannot block the pairing of other origins. */
  readonly #refusals = new Map<string, number[]>();
  /** The origins of the pages that are being paired. */
  readonly #busy = new Set<string>();
  /** The pairings that wait for the user. The latest one, which the user has just requested, is shown. */
  readonly #pending: { pairing: PendingPairing; settle: (isAccepted: boolean) => void }[] = [];

  constructor(options: PairingDeskOptions) {
    this.#options = options;
  }

  /** Takes the user's decision on the side of the bridge. A decision about another code is ignored. */
  answer(code: string, isAccepted: boolean): void {
    this.#pending.find(({ pairing }) => pairing.code === code)?.settle(isAccepted);
  }

  /**
   * Pairs a page.
   *
   * @throws {GreetingError} if the page is not paired.
   */
  async pair(greeting: Greeting, origin: string): Promise<Pairing> {
    this.#requireFree(greeting, origin);
    const expected = this.#options.expectedOrigins();
    if (expected.length > 0 && !expected.includes(origin)) throw refusal(greeting);
    this.#busy.add(origin);
    try {
      return await this.#exchange(greeting, origin);
    } finally {
      this.#busy.delete(origin);
    }
  }

  #requireFree(greeting: Greeting, origin: string): void {
    const since = Date.now() - LOCK_MS;
    for (const [one, times] of this.#refusals)
      if ((times.at(-1) ?? since) < since) this.#refusals.delete(one);
    const refusals = this.#refusals.get(origin)?.filter((time) => time >= since) ?? [];
    const isLocked = refusals.length >= MAX_REFUSALS;
    if (!isLocked && !this.#busy.has(origin) && this.#busy.size < MAX_AT_ONCE) return;
    const lockedMs = (refusals.at(-MAX_REFUSALS) ?? since) - since;
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

  /**
   * Lets the user compare the code. From here on, the user sees it, so an attacker has only one guess per
   * question.
   */
  async #compare(greeting: Greeting, origin: string, outcome: PairingOutcome): Promise<void> {
    const needsNobody = this.#isFirstOfExpected(origin);
    const pairing = { code: outcome.code, origin, needsAnswer: !needsNobody };
    const consent = this.#askPeople(pairing, greeting);
    try {
      await Promise.race([requireAgreement(greeting, outcome), onlyFailure(consent)]);
      // If the page closes the socket or sends a frame, it is not paired.
      if (!needsNobody) await Promise.race([consent, greeting.interruption()]);
    } catch (error) {
      this.#refusals.set(
        origin,
        [...(this.#refusals.get(origin) ?? []), Date.now()].slice(-MAX_REFUSALS),
      );
      throw error;
    } finally {
      this.#pending.find((one) => one.pairing === pairing)?.settle(true);
    }
  }

  /**
   * Whether this is the first pairing of a configured origin, which needs no answer on the side of the
   * bridge.
   */
  #isFirstOfExpected(origin: string): boolean {
    const { state, expectedOrigins } = this.#options;
    const isKnown = state.pairings.some((pairing) => pairing.origin === origin);
    return !isKnown && expectedOrigins().includes(origin);
  }

  /** Asks the user. The answer rejects if the user refuses, or does not answer in time. */
  #askPeople(pairing: PendingPairing, greeting: Greeting): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => settle(false), CODE_TIMEOUT_MS);
      const settle = (isAccepted: boolean): void => {
        const index = this.#pending.findIndex((one) => one.pairing === pairing);
        if (index < 0) return;
        clearTimeout(timer);
        this.#pending.splice(index, 1);
        this.#showLatest();
        if (isAccepted) resolve();
        else reject(refusal(greeting));
      };
      this.#pending.push({ pairing, settle });
      this.#showLatest();
    });
  }

  #showLatest(): void {
    this.#options.onpending(this.#pending.at(-1)?.pairing);
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
