import { truncateText } from '@inpage-mcp/elements';
import type { JsonRpcMessage } from '@inpage-mcp/transport';
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { icon } from './icons.js';
import { sharedStyles } from './shared-styles.js';
import type { WireEntry, WireLog } from './wire-log.js';

/** Strings longer than this are cut in what is shown; a file may be megabytes of base64. */
const SHOWN_CHARACTERS = 600;
/** Arrays longer than this are cut in what is shown. */
const SHOWN_ITEMS = 20;

/** Of a message, cut as above, no more than this is shown, in UTF-16 code units. */
const SHOWN_LENGTH = 20_000;

/** The JSON-RPC messages of a connection, live. */
export class WirePane extends LitElement {
  static override readonly styles = [
    sharedStyles,
    css`
      :host {
        display: grid;
        grid-template-rows: auto 1fr;
        min-block-size: 0;
      }

      header {
        display: flex;
        align-items: center;
        gap: 0.4rem;
        min-block-size: 3.4rem;
        padding: 0.5rem 0.9rem;
        border-block-end: 1px solid var(--line);
      }

      h2 {
        margin: 0;
        font-size: 0.9375rem;
      }

      .count {
        flex: 1;
        font-size: 0.8125rem;
      }

      ol {
        margin: 0;
        padding: 0;
        overflow: auto;
        list-style: none;
        font-family: var(--mono);
        font-size: 0.78rem;
      }

      li {
        border-block-end: 1px solid var(--line);
      }

      summary {
        display: grid;
        grid-template-columns: auto minmax(0, 1fr) auto;
        align-items: center;
        gap: 0.55rem;
        padding: 0.45rem 0.9rem;
        cursor: pointer;
        list-style: none;
      }

      summary::-webkit-details-marker {
        display: none;
      }

      summary:hover {
        background: var(--raised);
      }

      summary:focus-visible {
        outline-offset: -2px;
      }

      .what {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }

      .sent .icon,
      .sent .method {
        color: var(--accent);
      }

      .received .icon,
      .received .method {
        color: var(--good);
      }

      .failed {
        color: var(--danger);
      }

      pre {
        margin: 0;
        padding: 0.7rem 0.9rem;
        background: var(--raised);
        white-space: pre-wrap;
        overflow-wrap: anywhere;
      }

      pre + pre {
        border-block-start: 1px dashed var(--line);
      }

      .empty {
        padding: 2rem 1rem;
        text-align: center;
        font-family: var(--mcp-font);
      }
    `,
  ];

  static override readonly properties = {
    log: { attribute: false },
  };

  declare log: WireLog | undefined;

  /** Whether the next update is to show the newest line. */
  #follow = true;
  /** The numbers of the lines that show their messages. */
  readonly #opened = new Set<number>();
  readonly #onChange = (): void => {
    // Follows the newest line, unless the reader has scrolled up.
    const list = this.#list;
    this.#follow = !list || list.scrollTop + list.clientHeight >= list.scrollHeight - 40;
    this.requestUpdate();
  };

  override connectedCallback(): void {
    super.connectedCallback();
    this.log?.addEventListener('change', this.#onChange);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.log?.removeEventListener('change', this.#onChange);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('log')) {
      changed.get('log')?.removeEventListener('change', this.#onChange);
      this.log?.addEventListener('change', this.#onChange);
    }
  }

  protected override updated(): void {
    const list = this.#list;
    if (list && this.#follow) list.scrollTop = list.scrollHeight;
    this.#follow = false;
  }

  protected override render(): TemplateResult {
    const { log } = this;
    const entries = log?.entries ?? [];
    return html`
      <header>
        <h2>Wire</h2>
        <span class="count muted"
          >${entries.length === 0 ? nothing : `${entries.length} messages`}</span
        >
        <button
          class="plain square"
          title=${log?.paused ? 'Go on recording' : 'Pause recording'}
          aria-label=${log?.paused ? 'Go on recording' : 'Pause recording'}
          @click=${this.#togglePause}
        >
          ${icon(log?.paused ? 'play' : 'pause')}
        </button>
        <button
          class="plain square"
          title="Clear the log"
          aria-label="Clear the log"
          @click=${() => log?.clear()}
        >
          ${icon('eraser')}
        </button>
      </header>
      <ol tabindex="0" aria-label="JSON-RPC messages, oldest first">
        ${
          entries.length === 0
            ? html`<li class="empty muted">Messages show here as they cross the port.</li>`
            : repeat(
                entries,
                ({ number }) => number,
                (entry) => this.#renderEntry(entry),
              )
        }
      </ol>
    `;
  }

  #renderEntry(entry: WireEntry): TemplateResult {
    const { number, direction, method, message, answer } = entry;
    const failed = answer !== undefined && 'error' in answer;
    // Written only when opened: five hundred messages would be formatted for nobody.
    const shown = this.#opened.has(number) ? [message, answer] : [];
    return html`<li class=${direction}>
      <details @toggle=${(event: Event) => this.#onToggle(event, number)}>
        <summary>
          ${icon(direction === 'sent' ? 'sent' : 'received')}
          <span class="what">
            <span class=${failed ? 'failed' : 'method'}>${truncateText(method)}</span>
            <span class="muted">${truncateText(subjectOf(message))}</span>
          </span>
          <span class=${failed ? 'failed' : 'muted'}>${outcomeOf(entry)}</span>
        </summary>
        ${shown.map((one) => (one ? html`<pre>${pretty(one)}</pre>` : nothing))}
      </details>
    </li>`;
  }

  #onToggle(event: Event, number: number): void {
    if ((event.target as HTMLDetailsElement).open) this.#opened.add(number);
    else this.#opened.delete(number);
    this.requestUpdate();
  }

  get #list(): HTMLElement | null {
    return this.renderRoot.querySelector('ol');
  }

  #togglePause(): void {
    if (this.log) this.log.paused = !this.log.paused;
  }
}

function subjectOf(message: JsonRpcMessage): string {
  if (!('method' in message)) return '';
  const { uri, cursor, notifications, requestId } = message.params ?? {};
  const id = 'id' in message && message.id !== undefined ? `#${message.id} ` : '';
  if (typeof uri === 'string') return id + uri;
  if (typeof cursor === 'string') return `${id}next page`;
  if (typeof requestId === 'number') return `#${requestId}`;
  const uris = (notifications as { resourceSubscriptions?: unknown[] } | undefined)
    ?.resourceSubscriptions;
  if (uris) return `${id}${uris.length} ${uris.length === 1 ? 'resource' : 'resources'}`;
  return id;
}

function outcomeOf({ message, answer, method, durationMs, cancelled }: WireEntry): string {
  if (answer && 'error' in answer) return String(answer.error.code);
  if (durationMs !== undefined) return `${durationMs.toFixed(1)} ms`;
  if (cancelled) return 'ended';
  return 'id' in message && method === 'subscriptions/listen' ? 'open' : '';
}

function pretty(message: JsonRpcMessage): string {
  return truncateText(JSON.stringify(message, shorten, 2), SHOWN_LENGTH);
}

function shorten(_key: string, value: unknown): unknown {
  if (typeof value === 'string' && value.length > SHOWN_CHARACTERS) {
    return `${value.slice(0, SHOWN_CHARACTERS)}… (${value.length} characters)`;
  }
  if (Array.isArray(value) && value.length > SHOWN_ITEMS) {
    return [...(value as unknown[]).slice(0, SHOWN_ITEMS), `… (${value.length} items)`];
  }
  return value;
}

customElements.define('wire-pane', WirePane);

declare global {
  interface HTMLElementTagNameMap {
    'wire-pane': WirePane;
  }
}
