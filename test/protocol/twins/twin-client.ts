import { MODERN_META } from '../../support/raw-client.js';
import { isModern, type Revision } from '../../support/revisions.js';
import { expectSpecified, expectSpecifiedResult } from '../../support/specified-messages.js';
import { soon } from '../../support/within.js';
import { isObject, outline, type Members, type Received, type Transcript } from './outline.js';
import type { Twin } from './twin.js';

/**
 * Any server answers it, in any era and before one is chosen, and nothing is changed by it: as a
 * request of the modern era it lacks the capabilities of its client.
 */
const FENCE = {
  method: 'ping',
  params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } },
};

/** A client of one of the two servers, which speaks hand-written JSON-RPC. */
export class TwinClient {
  readonly twin: Twin;
  readonly received: Received[] = [];
  /** Whether the server has ended the connection. */
  isEnded = false;
  readonly #revision: Revision;
  /** What was asked, by the id of the request. */
  readonly #asked = new Map<unknown, string>();
  readonly #waiters = new Set<() => void>();
  #fences = 0;
  #nextId = 1;

  /** @param isChecked Whether each message that comes in has to fit the official schemas. */
  constructor(twin: Twin, revision: Revision, isChecked: boolean) {
    this.twin = twin;
    this.#revision = revision;
    twin.port.onmessage = ({ data }: MessageEvent<Received | null>) => {
      if (data === null) this.isEnded = true;
      else this.received.push(data);
      for (const waiter of this.#waiters) waiter();
      // What it throws fails the test file, in whichever test it comes.
      if (isChecked && data !== null) this.#check(data);
    };
  }

  /** Sends anything. */
  post(message: unknown): void {
    if (isObject(message) && typeof message['method'] === 'string') {
      this.#asked.set(message['id'], message['method']);
    }
    this.twin.port.postMessage(message);
  }

  /** Sends a request in the words of the revision, and gives its id. */
  send(method: string, params: unknown = {}, id: string | number = this.#nextId++): typeof id {
    this.post({ jsonrpc: '2.0', id, method, params: dressed(params, this.#revision) });
    return id;
  }

  notify(method: string, params: Members = {}): void {
    this.post({ jsonrpc: '2.0', method, params });
  }

  /** Answers what the server has asked last. */
  answer(method: string, result: Members): void {
    const asked = this.received.findLast((one) => one.method === method && one.id !== undefined);
    this.post({ jsonrpc: '2.0', id: asked?.id, result });
  }

  /** Opens the conversation as the revision does: the first request decides the era. */
  async open(capabilities: Members = {}): Promise<void> {
    if (isModern(this.#revision)) this.send('prompts/list', {}, 'opening');
    else {
      const clientInfo = { name: 'raw', version: '1' };
      const protocolVersion = this.#revision;
      this.send('initialize', { protocolVersion, capabilities, clientInfo }, 'opening');
      this.notify('notifications/initialized');
    }
    await this.settled();
  }

  /** Resolves when everything that was sent has been dealt with, as far as that needs no time. */
  async settled(): Promise<void> {
    for (let round = 0; round < 2; round += 1) {
      const id = `fence ${(this.#fences += 1)}`;
      this.post({ jsonrpc: '2.0', id, ...FENCE });
      await this.until('the fence is answered', () => this.received.some((one) => one.id === id));
    }
  }

  /** Resolves when something has come in. */
  async until(what: string, isThere: () => boolean): Promise<void> {
    const come = new Promise<void>((resolve) => {
      const look = (): void => {
        if (!isThere()) return;
        this.#waiters.delete(look);
        resolve();
      };
      this.#waiters.add(look);
      look();
    });
    await soon(what, come);
  }

  /** What came in, since the last time that this was called. */
  takeTranscript(): Transcript {
    const all = this.received.splice(0);
    const own = all.filter(({ id }) => !String(id).startsWith('fence'));
    const questions = own.filter(({ id, method }) => method !== undefined && id !== undefined);
    const questionIds = questions.map(({ id }) => id);
    return own.map((message) => outline(message, { asked: this.#asked, questionIds }));
  }

  #check(message: Received): void {
    if (Array.isArray(message)) return message.forEach((one) => this.#check(one));
    expectSpecified(message);
    const { id, result } = message;
    if (result) expectSpecifiedResult(this.#asked.get(id), result);
  }
}

/** Params with what the revision wants in them, unless they are no params. */
export function dressed(params: unknown, revision: Revision): unknown {
  if (!isModern(revision) || !isObject(params)) return params;
  const { _meta: own = {} } = params;
  if (!isObject(own)) return params;
  const all = Object.entries({ ...MODERN_META, ...own });
  const _meta = Object.fromEntries(all.filter(([, value]) => value !== undefined));
  return { ...params, _meta };
}
