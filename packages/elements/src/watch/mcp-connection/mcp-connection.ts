import type { McpClient } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import { svg, html, nothing, type TemplateResult, type PropertyValues } from 'lit';
import type { ConnectionState } from '../../base/element/connection.js';
import { McpElement } from '../../base/element/mcp-element.js';
import { icon, refreshIcon } from '../../base/look/icons.js';
import { theme } from '../../base/look/theme.js';
import { formatElapsed } from '../../base/text/duration.js';
import { formatError, isolate } from '../../base/text/format.js';
import { truncateText } from '../../base/text/truncate-text.js';
import { capabilitiesInWords, type CapabilityWords } from './capabilities.js';
import { McpReconnectEvent } from './events.js';
import { styles } from './mcp-connection.styles.js';

/** The shapes of the states. Each state has its own, because colours alone do not distinguish them. */
const SHAPES: { readonly [state in ConnectionState]: TemplateResult } = {
  none: svg`<circle cx="8" cy="8" r="6" fill="none" stroke-dasharray="2.5 2.2" />`,
  open: svg`<circle cx="8" cy="8" r="6" fill="currentColor" /><path d="M5.2 8.2l2 2 3.6-4" fill="none" class="check" />`,
  reconnecting: svg`<path d="M14 8a6 6 0 1 1-3-5.2" fill="none" />`,
  closed: svg`<path d="M2.5 2.5h11v11h-11zM5.5 5.5l5 5M10.5 5.5l-5 5" fill="none" />`,
};

/** The mark of a state. It is hidden from assistive tools, which read the text. */
function renderMark(state: ConnectionState): TemplateResult {
  return html`<svg class=${`mark ${state}`} viewBox="0 0 16 16" aria-hidden="true">
    <g stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round">
      ${SHAPES[state]}
    </g>
  </svg>`;
}

/** The interval at which the elapsed time is shown again, in milliseconds. */
const ELAPSED_INTERVAL_MS = 1_000;

const STATES: readonly ConnectionState[] = ['none', 'open', 'reconnecting', 'closed'];

/**
 * The state of the connection to a server, in words and as a mark: on one line, or with the name and
 * version of the server, the protocol revision, and what the server can do.
 *
 * Takes its client from `<mcp-provider>` or from its `client` property.
 *
 * @element mcp-connection
 * @fires mcp-reconnect - The user wants to connect again. `preventDefault()` prevents it.
 * @csspart summary - The line with the state.
 * @csspart details - What is known of the server.
 * @cssprop [--mcp-color-success] - The mark of an open connection.
 * @cssprop [--mcp-color-danger] - The mark of a connection that has ended.
 * @cssstate none - There is no client.
 * @cssstate open - The connection is open.
 * @cssstate reconnecting - The client reconnects.
 * @cssstate closed - The connection has ended.
 */
export class McpConnection extends McpElement {
  static override readonly styles = [theme, styles];

  static override readonly properties = {
    detailed: { type: Boolean, reflect: true },
    reconnect: { attribute: false },
  };

  /** Whether all known facts about the server are shown. Default: false, one line. */
  declare detailed: boolean;
  /**
   * Connects again after the connection has ended, for example by setting a new client. Without it, the
   * element has no button. If the function rejects, the element shows the error. Default: none.
   */
  declare reconnect: (() => unknown) | undefined;

  #shown: { client: McpClient | undefined; state: ConnectionState } | undefined;
  /** The time when the loss of the connection was first seen, on the clock of `performance.now()`. */
  #lostAt = 0;
  #reason: unknown;
  #attempt: 'none' | 'pending' | 'failed' = 'none';
  #attemptError: unknown;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor() {
    super();
    this.detailed = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#timer);
    this.#shown = undefined;
  }

  protected override willUpdate(_changed: PropertyValues<this>): void {
    // A removed element may be updated, too. Nothing would end its interval.
    if (!this.isConnected) return;
    const { client, state } = this.connection;
    const shown = this.#shown;
    if (shown && shown.client === client && shown.state === state) return;
    this.#shown = { client, state };
    for (const name of STATES) this.setState(name, name === state);
    this.#attempt = 'none';
    this.#reason = undefined;
    clearInterval(this.#timer);
    if (state === 'reconnecting') this.#countTime();
    if (state === 'closed' && client) void this.#findReason(client);
  }

  protected override render(): TemplateResult {
    const { state } = this.connection;
    const server = this.#serverName();
    const elapsed = formatElapsed(performance.now() - this.#lostAt);
    return html`<div class="summary" part="summary">
        ${renderMark(state)}
        <span class="state" role="status">${stateInWords(state)}</span>
        ${state === 'reconnecting' ? html`<span class="muted elapsed">${elapsed}</span>` : nothing}
        ${server && !this.detailed ? html`<span class="muted one-line server">${server}</span>` : nothing}
        ${this.#renderButton(state)}
      </div>
      ${this.#renderProblems(state)}
      ${this.detailed && this.connection.client ? this.#renderDetails(this.connection.client) : nothing}`;
  }

  #renderButton(state: ConnectionState): TemplateResult | typeof nothing {
    if (state !== 'closed' || !this.reconnect) return nothing;
    // It is not disabled, because it would lose the focus.
    return html`<button
      aria-disabled=${this.#attempt === 'pending'}
      @click=${() => void this.#reconnect()}
    >
      ${icon(refreshIcon)} ${msg('Connect again', { id: 'mcp.connection.reconnect' })}
    </button>`;
  }

  /** The reasons why the connection has ended, and could not be opened again. */
  #renderProblems(state: ConnectionState): TemplateResult | typeof nothing {
    const reason = state === 'closed' && this.#reason !== undefined ? this.#reason : undefined;
    const isFailed = this.#attempt === 'failed';
    return html`${reason === undefined ? nothing : html`<p class="reason">${formatError(reason)}</p>`}
    ${isFailed ? html`<p class="reason" role="alert">${formatError(this.#attemptError)}</p>` : nothing}`;
  }

  #renderDetails({ protocolVersion, serverCapabilities }: McpClient): TemplateResult {
    const capabilities = capabilitiesInWords(serverCapabilities);
    return html`<dl part="details">
      <div>
        <dt>${msg('Server', { id: 'mcp.connection.server' })}</dt>
        <dd>${this.#serverName() || msg('Without a name', { id: 'mcp.connection.nameless' })}</dd>
      </div>
      <div>
        <dt>${msg('Protocol', { id: 'mcp.connection.protocol' })}</dt>
        <dd>MCP ${isolate(truncateText(protocolVersion, 50))}</dd>
      </div>
      <div>
        <dt>${msg('What the server offers', { id: 'mcp.connection.capabilities' })}</dt>
        <dd>${renderCapabilities(capabilities)}</dd>
      </div>
    </dl>`;
  }

  /** The title, or otherwise the name, and the version. */
  #serverName(): string {
    const info: unknown = this.connection.client?.serverInfo;
    const { title, name, version } = (info ?? {}) as { [field: string]: unknown };
    const shownName = textOf(title) || textOf(name);
    if (!shownName) return '';
    const isolated = isolate(truncateText(shownName));
    const number = isolate(truncateText(textOf(version), 50));
    if (!textOf(version)) return isolated;
    return msg(str`${isolated}, version ${number}`, { id: 'mcp.connection.version' });
  }

  #countTime(): void {
    this.#lostAt = performance.now();
    this.#timer = setInterval(() => this.requestUpdate(), ELAPSED_INTERVAL_MS);
  }

  /**
   * Finds the reason why the connection has ended: a closed client rejects each call with it, and sends
   * nothing.
   */
  async #findReason(client: McpClient): Promise<void> {
    try {
      await client.listResources();
    } catch (error) {
      const { cause } = (error ?? {}) as { cause?: unknown };
      if (this.#shown?.client !== client) return;
      this.#reason = cause;
      this.requestUpdate();
    }
  }

  async #reconnect(): Promise<void> {
    if (this.#attempt === 'pending' || !this.dispatchEvent(new McpReconnectEvent())) return;
    const { client } = this.connection;
    this.#setAttempt('pending');
    try {
      await this.reconnect?.();
      this.#setAttempt('none');
    } catch (error) {
      this.#attemptError = error;
      if (this.connection.client === client) this.#setAttempt('failed');
    }
  }

  #setAttempt(attempt: 'none' | 'pending' | 'failed'): void {
    this.#attempt = attempt;
    this.requestUpdate();
  }
}

function stateInWords(state: ConnectionState): string {
  switch (state) {
    case 'none':
      return msg('Not connected', { id: 'mcp.connection.none' });
    case 'open':
      return msg('Connected', { id: 'mcp.connection.open' });
    case 'reconnecting':
      return msg('Reconnecting', { id: 'mcp.connection.reconnecting' });
    case 'closed':
      return msg('The connection has ended', { id: 'mcp.connection.closed' });
  }
}

function renderCapabilities(capabilities: readonly CapabilityWords[]): TemplateResult | string {
  if (capabilities.length === 0) return msg('Nothing', { id: 'mcp.connection.nothing' });
  return html`<ul>
    ${capabilities.map(
      ({ name, meanings }) =>
        html`<li>
          <strong>${name}</strong>
          ${meanings.map((meaning) => html`<span class="meaning">${meaning}</span> `)}
        </li>`,
    )}
  </ul>`;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

declare global {
  interface HTMLElementTagNameMap {
    'mcp-connection': McpConnection;
  }
}
