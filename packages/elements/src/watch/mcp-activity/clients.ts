import { msg, str } from '@lit/localize';
import { html, nothing, type LitElement, type TemplateResult } from 'lit';
import {
  formatError,
  formatAge,
  formatDate,
  formatNumber,
  isolate,
} from '../../base/text/format.js';
import { truncateText } from '../../base/text/truncate-text.js';
import type { ActivityGroup } from './actions.js';

/**
 * The user wants to end the access of a client. Bubbles, through shadow roots too. The page decides:
 * it passes the promise of its decision to `respondWith()`, and the element shows the result.
 * Cancelable: after `preventDefault()`, the element shows nothing.
 */
export class McpRevokeEvent extends Event {
  static readonly eventName = 'mcp-revoke';
  /** The number of the connection, as in the log. */
  readonly connection: number;
  #response: Promise<unknown> | undefined;

  constructor(connection: number) {
    super(McpRevokeEvent.eventName, { bubbles: true, composed: true, cancelable: true });
    this.connection = connection;
  }

  /** The promise of the page; `undefined` if the page has passed none. */
  get response(): Promise<unknown> | undefined {
    return this.#response;
  }

  /**
   * To be called while the event is dispatched.
   *
   * @param response Resolves when the client has no access any more; rejects if it keeps its access.
   */
  respondWith(response: Promise<unknown>): void {
    this.#response = response;
  }
}

/** The progress of the end of a client's access. */
type State = 'pending' | 'done' | 'failed';

/** Asks the page to end the access of clients, and keeps the outcomes. */
export class Revocations {
  readonly #host: LitElement;
  readonly #states = new Map<number, State>();
  /** The outcome of the last one, for the user; empty before. */
  note = '';
  /** Whether the access has not ended that the note is about. */
  isFailed = false;

  constructor(host: LitElement) {
    this.#host = host;
  }

  /** `undefined` for a client whose access was never to end. */
  stateOf(connection: number): State | undefined {
    return this.#states.get(connection);
  }

  /** Forgets everything, as the numbers of another server are of other clients. */
  clear(): void {
    this.#states.clear();
    this.note = '';
  }

  /** @param name The name of the client, for the user. */
  async revoke(connection: number, name: string): Promise<void> {
    const event = new McpRevokeEvent(connection);
    if (!this.#host.dispatchEvent(event)) return;
    this.#set(connection, 'pending', '');
    try {
      if (!event.response)
        throw new Error(
          msg('The page has not ended the access.', { id: 'mcp.activity.no-answer' }),
        );
      await event.response;
      const note = msg(str`Access ended: ${name}`, { id: 'mcp.activity.revoked-of' });
      this.#set(connection, 'done', note);
    } catch (error) {
      this.#set(connection, 'failed', formatError(error));
    }
  }

  #set(connection: number, state: State, note: string): void {
    this.#states.set(connection, state);
    this.note = note;
    this.isFailed = state === 'failed';
    this.#host.requestUpdate();
  }
}

/** A client as the page knows it. */
interface ActivityClient {
  /** For people, such as `The assistant at https://assistant.example`. */
  name: string;
  /** Whether the page can end its access: a button is then shown. Default: false. */
  isRevocable?: boolean | undefined;
}

/** The client of a connection, by its number in the log. */
export type DescribeClient = (connection: number) => ActivityClient | undefined;

/** The parts of the heading of a group besides the group. */
interface GroupView {
  describeClient: DescribeClient | undefined;
  revocations: Revocations;
  /** Whether the page can still end the access of a client. */
  canRevoke: boolean;
}

/** The heading over what a client did: its name, when it was there, and the end of its access. */
export function renderGroup(
  { connection, timeMs }: ActivityGroup,
  view: GroupView,
): TemplateResult {
  const iso = new Date(timeMs).toISOString();
  // Not isolated: then the line would not have its direction, and would lose its beginning.
  const name =
    knownName(connection, view.describeClient) ?? nameOfClient(connection, view.describeClient);
  return html`<h3 class="one-line" title=${name}>${name}</h3>
    <time datetime=${iso} title=${formatDate(timeMs)}>${formatAge(iso)}</time>
    ${renderRevocation(connection, view)}`;
}

/** The name of a client for the middle of a sentence. */
export function nameOfClient(
  connection: number,
  describeClient: DescribeClient | undefined,
): string {
  const name = knownName(connection, describeClient);
  if (name !== undefined) return isolate(name);
  const number = formatNumber(connection);
  return msg(str`Connection ${number}`, { id: 'mcp.activity.connection' });
}

/** The name that the page has for a client. */
function knownName(
  connection: number,
  describeClient: DescribeClient | undefined,
): string | undefined {
  const name: unknown = describeClient?.(connection)?.name;
  return typeof name === 'string' && name !== '' ? truncateText(name) : undefined;
}

function renderRevocation(
  connection: number,
  { describeClient, revocations, canRevoke }: GroupView,
): TemplateResult | typeof nothing {
  const state = revocations.stateOf(connection);
  if (state === 'done')
    return html`<span class="revoked">
      ${msg('Access ended', { id: 'mcp.activity.revoked' })}
    </span>`;
  if (!canRevoke || describeClient?.(connection)?.isRevocable !== true) return nothing;
  const text = msg('End access', { id: 'mcp.activity.revoke' });
  const name = nameOfClient(connection, describeClient);
  return html`<button
    ?disabled=${state === 'pending'}
    aria-label=${`${text}: ${name}`}
    @click=${() => void revocations.revoke(connection, name)}
  >
    ${text}
  </button>`;
}

declare global {
  interface GlobalEventHandlersEventMap {
    'mcp-revoke': McpRevokeEvent;
  }
}
