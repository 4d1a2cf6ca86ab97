import { msg, str } from '@lit/localize';
import type { LitElement } from 'lit';
import { formatError } from '../../base/text/format.js';
import { McpRevokeEvent } from './events.js';

/** How far the end of the access of a client is. */
type State = 'pending' | 'done' | 'failed';

/** Asks the page to end the access of clients, and keeps what has come of it. */
export class Revocations {
  readonly #host: LitElement;
  readonly #states = new Map<number, State>();
  #note = '';
  #isFailed = false;

  constructor(host: LitElement) {
    this.#host = host;
  }

  /** What has come of the last one, for the user; empty before. */
  get note(): string {
    return this.#note;
  }

  /** Whether the access has not ended that the note is about. */
  get isFailed(): boolean {
    return this.#isFailed;
  }

  /** `undefined` for a client whose access was never to end. */
  stateOf(connection: number): State | undefined {
    return this.#states.get(connection);
  }

  /** Forgets everything, as the numbers of another server are of other clients. */
  clear(): void {
    this.#states.clear();
    this.#note = '';
  }

  /** @param name The name of the client, for the user. */
  async revoke(connection: number, name: string): Promise<void> {
    const event = new McpRevokeEvent(connection);
    if (!this.#host.dispatchEvent(event)) return;
    this.#set(connection, 'pending', '');
    try {
      await responseOf(event);
      const note = msg(str`Access ended: ${name}`, { id: 'mcp.activity.revoked-of' });
      this.#set(connection, 'done', note);
    } catch (error) {
      this.#set(connection, 'failed', formatError(error));
    }
  }

  #set(connection: number, state: State, note: string): void {
    this.#states.set(connection, state);
    this.#note = note;
    this.#isFailed = state === 'failed';
    this.#host.requestUpdate();
  }
}

async function responseOf({ response }: McpRevokeEvent): Promise<void> {
  if (!response)
    throw new Error(msg('The page has not ended the access.', { id: 'mcp.activity.no-answer' }));
  await response;
}
