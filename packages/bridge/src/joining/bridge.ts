import { setTimeout as delay } from 'node:timers/promises';
import { Hub, type HubOptions } from '../hub/hub.js';
import type { HostFacts } from '../wire/messages.js';
import type { BridgeStatus, Entry, EntryHandlers, PageRouter } from '../wire/router.js';
import { HubClient, StrangerError } from './hub-client.js';

/** Options of a bridge process. */
export interface BridgeOptions extends HubOptions {
  port: number;
  /** The timeout for another hub's answers to pings, in ms. Default: 5 seconds. */
  hubAnswerMs?: number | undefined;
  /** Called when the status of pages changes, and with the problem if this process cannot reach a hub. */
  onstatus: (status: BridgeStatus) => void;
}

/** The limits of the delay before a process tries again to become the hub or to find it, in ms. */
const RETRY_MS = { least: 20, most: 80 };

/** The time without listening or connecting, in ms, after which this process reports a problem. */
const SILENCE_MS = 5_000;

/** The delay before the next attempt if another program uses the port, in ms. */
const STRANGER_RETRY_MS = 5_000;

/** One session of this process; its entry is at the present hub. */
interface Member {
  facts: HostFacts;
  handlers: EntryHandlers;
  entry: Entry | undefined;
  isOpen: boolean;
}

/**
 * Connects the sessions of this process to pages. The first process that listens on the port is the hub.
 * When it exits, the other processes try to listen; one of them succeeds, and all sessions move to it.
 */
export class Bridge implements PageRouter {
  readonly #options: BridgeOptions;
  readonly #members = new Set<Member>();
  #hub: Hub | HubClient | undefined;
  #isClosed = false;
  #problem = '';

  constructor(options: BridgeOptions) {
    this.#options = options;
    void this.#join();
  }

  /** Whether this process listens on the port, and is not about to end. */
  get isHub(): boolean {
    return this.#hub instanceof Hub && !this.#isClosed;
  }

  enter(facts: HostFacts, handlers: EntryHandlers): Entry {
    const member: Member = { facts, handlers, entry: undefined, isOpen: false };
    this.#members.add(member);
    if (this.#hub) this.#enterHub(member, this.#hub);
    return {
      send: (message) => member.entry?.send(message),
      close: () => {
        this.#members.delete(member);
        member.entry?.close();
      },
    };
  }

  /** Passes on the user's decision about the pairing with this code. */
  answerPairing(code: string, isAccepted: boolean): void {
    this.#hub?.answerPairing(code, isAccepted);
  }

  /** Closes all connections, and frees the port. */
  close(): void {
    this.#isClosed = true;
    this.#hub?.close();
  }

  async #join(): Promise<void> {
    const startedAt = performance.now();
    while (!this.#isClosed && !this.#hub) {
      try {
        this.#hub = await this.#listenOrConnect();
      } catch (error) {
        await this.#waitAfter(error, performance.now() - startedAt > SILENCE_MS);
      }
    }
    const hub = this.#hub;
    if (!hub) return;
    if (this.#isClosed) return hub.close();
    this.#problem = '';
    if (hub instanceof Hub) this.#options.onstatus(hub.status);
    for (const member of this.#members) this.#enterHub(member, hub);
  }

  async #listenOrConnect(): Promise<Hub | HubClient> {
    const { port, hubAnswerMs, ...options } = this.#options;
    try {
      return await Hub.listen(port, options);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
    const onclose = (): void => this.#leaveHub();
    const { state, expectedOrigins, onstatus } = options;
    const { secret } = state;
    return HubClient.connect({ port, hubAnswerMs, secret, expectedOrigins, onstatus, onclose });
  }

  async #waitAfter(error: unknown, isSilent: boolean): Promise<void> {
    const { port } = this.#options;
    const code = (error as NodeJS.ErrnoException).code;
    const isLasting = error instanceof StrangerError || code === 'EACCES';
    if (isLasting)
      this.#report(
        `Port ${port} is used by another program, by another user, or by a bridge with another state folder. Choose another one with --port, here and in the page.`,
      );
    else if (isSilent)
      this.#report(
        `The program that has port ${port} does not answer. If it is a bridge that was stopped, end it.`,
      );
    const { least, most } = RETRY_MS;
    await delay(isLasting ? STRANGER_RETRY_MS : least + Math.random() * (most - least));
  }

  #report(problem: string): void {
    if (this.#problem === problem) return;
    this.#problem = problem;
    this.#options.onstatus({ problem });
  }

  #enterHub(member: Member, hub: Hub | HubClient): void {
    const { facts, handlers } = member;
    member.entry = hub.enter(facts, {
      onopened: () => {
        member.isOpen = true;
        handlers.onopened();
      },
      ongone: () => {
        member.isOpen = false;
        handlers.ongone();
      },
      onmessage: (message) => handlers.onmessage(message),
      onunserved: (reason) => handlers.onunserved(reason),
      onpressure: (isHigh) => handlers.onpressure(isHigh),
    });
  }

  /** Leaves the hub, whose connection has closed: this process tries to become the hub. */
  #leaveHub(): void {
    this.#hub = undefined;
    for (const member of this.#members) {
      member.entry = undefined;
      member.handlers.onpressure(false);
      if (member.isOpen) member.handlers.ongone();
      member.isOpen = false;
    }
    this.#options.onstatus({});
    void this.#join();
  }
}
