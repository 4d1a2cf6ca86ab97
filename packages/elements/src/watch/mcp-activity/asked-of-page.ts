import type { LitElement } from 'lit';
import { formatError } from '../../base/text/format.js';

/** A request to the page, whose outcome the element shows. */
class PageRequestEvent extends Event {
  #response: Promise<unknown> | undefined;

  constructor(name: string) {
    super(name, { bubbles: true, composed: true, cancelable: true });
  }

  /** The promise of the page; `undefined` if the page has passed none. */
  get response(): Promise<unknown> | undefined {
    return this.#response;
  }

  /**
   * Passes the outcome. Must be called while the event is dispatched.
   *
   * @param response Resolves when the request was carried out; rejects if nothing has changed.
   */
  respondWith(response: Promise<unknown>): void {
    this.#response = response;
  }
}

/**
 * Fired when the user wants to end the access of a client. Bubbles, through shadow roots too. The page
 * decides: it passes the promise of its decision to `respondWith()`, and the element shows the result.
 * Cancelable: after `preventDefault()`, the element shows nothing.
 */
export class McpRevokeEvent extends PageRequestEvent {
  static readonly eventName = 'mcp-revoke';
  /** The number of the connection, as in the log. */
  readonly connection: number;

  constructor(connection: number) {
    super(McpRevokeEvent.eventName);
    this.connection = connection;
  }
}

/**
 * Fired when the user wants to undo the changes of a client. Bubbles, through shadow roots too. The page
 * undoes them, for example by `runtime.history.revert()`, and passes its promise to `respondWith()`; the
 * element shows the result. Cancelable: after `preventDefault()`, the element shows nothing.
 */
export class McpRevertEvent extends PageRequestEvent {
  static readonly eventName = 'mcp-revert';
  /** The numbers of the changes, as in the log, in the order in which to undo them. */
  readonly changes: readonly number[];

  constructor(changes: readonly number[]) {
    super(McpRevertEvent.eventName);
    this.changes = changes;
  }
}

/** The state of a request; absent if it was not made. */
export type RequestState = 'pending' | 'done' | 'failed';

/** Sends requests to the page, and keeps their outcomes. */
export class AskedOfPage {
  readonly #host: LitElement;
  readonly #states = new Map<string, RequestState>();
  /** Another object after each `clear()`. */
  #session = {};
  /** The outcome of the last request, for the user; empty before. */
  note = '';
  /** Whether the note is about a request that was not carried out. */
  isFailed = false;

  constructor(host: LitElement) {
    this.#host = host;
  }

  stateOf(key: string): RequestState | undefined {
    return this.#states.get(key);
  }

  /** Forgets everything, because the numbers of another server belong to other clients. */
  clear(): void {
    this.#session = {};
    this.#states.clear();
    this.note = '';
  }

  /**
   * Sends a request. Resolves once it has succeeded or failed.
   *
   * @param key The key of the request.
   * @param texts The texts for a request that has succeeded, and for a page that does nothing.
   */
  async ask(
    key: string,
    event: PageRequestEvent,
    { done, ignored }: { done: string; ignored: string },
  ): Promise<void> {
    if (!this.#host.dispatchEvent(event)) return;
    const session = this.#session;
    const settle = (state: RequestState, note: string): void => {
      // After `clear()`, the key may be that of another client.
      if (session === this.#session) this.#set(key, state, note);
    };
    settle('pending', '');
    try {
      if (!event.response) throw new Error(ignored);
      await event.response;
      settle('done', done);
    } catch (error) {
      settle('failed', formatError(error));
    }
  }

  #set(key: string, state: RequestState, note: string): void {
    this.#states.set(key, state);
    this.note = note;
    this.isFailed = state === 'failed';
    this.#host.requestUpdate();
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'mcp-revoke': McpRevokeEvent;
    'mcp-revert': McpRevertEvent;
  }
}
