import { msg, str } from '@lit/localize';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import { keepFocus } from '../../base/element/focus-keeper.js';
import { McpElement } from '../../base/element/mcp-element.js';
import { renderConnection, renderError, renderLoading } from '../../base/look/messages.js';
import { theme } from '../../base/look/theme.js';
import { codeOf } from '../../reading/gate.js';
import { ResourceController } from '../../reading/resource-controller.js';
import { paneStyles } from '../../base/rows/pane-styles.js';
import { VirtualRows } from '../../base/rows/virtual-rows.js';
import { formatNumber } from '../../base/text/format.js';
import { languageTag } from '../../base/text/language.js';
import {
  groupsOf,
  passes,
  renderFilters,
  type ActivityFilter,
  type ActivityGroup,
  type Action,
} from './actions.js';
import { type Activity, activityOf } from './log.js';
import { styles } from './mcp-activity.styles.js';
import { AskedOfPage } from './asked-of-page.js';
import { nameOfClient, renderGroup, type DescribeClient } from './clients.js';
import { renderReversal } from './reversal.js';
import { renderSentence, outcomeInWords, sentenceOf } from './sentences.js';
import { TitlesController } from './titles-controller.js';

const ACTIVITY_URI = 'inpage:///activity';

/** The JSON-RPC codes of a server without such a resource. */
const MISSING_CODES: unknown[] = [-32601, -32602, -32002];

/** The interval at which ages are shown again, in milliseconds. */
const AGE_INTERVAL_MS = 60_000;

/** The maximum number of clients that are offered as a filter. */
const MAX_CLIENTS = 100;

type Row =
  | { kind: 'group'; key: string; group: ActivityGroup }
  | { kind: 'action'; key: string; action: Action };

/**
 * The acts of each client, in sentences: from the log of the server, `inpage:///activity`, the newest
 * first. Follows its updates. Repeated requests become one sentence.
 *
 * Takes its client from `<mcp-provider>` or from its `client` property. Give it a height: it fills
 * its box and scrolls inside.
 *
 * @element mcp-activity
 * @slot empty - Shown if nothing has happened yet.
 * @slot unsupported - Shown if the server has no log.
 * @fires mcp-revoke - The user wants to end the access of a client; the page decides.
 * @fires mcp-revert - The user wants to undo what a client has changed; the page does it.
 * @csspart filters - The two filters.
 * @csspart scroller - The scrolling list.
 * @csspart group - The name of a client, with the time.
 * @csspart row - A sentence.
 * @csspart connection - A note on the connection.
 * @csspart error - A failure to read the log.
 * @cssprop [--mcp-color-danger] - What was refused.
 */
export class McpActivity extends McpElement {
  static override readonly styles = [theme, paneStyles, styles];

  static override readonly shadowRootOptions: ShadowRootInit = {
    ...LitElement.shadowRootOptions,
    delegatesFocus: true,
  };

  static override readonly properties = {
    describeClient: { attribute: false },
    canRevert: { type: Boolean, attribute: 'can-revert' },
    label: {},
  };

  /**
   * The client of a connection, by its number in the log. The log knows only numbers. Default: none;
   * clients are then called `Connection 3`.
   */
  declare describeClient: DescribeClient | undefined;
  /**
   * Whether the page undoes changes: a button next to each change that can be undone fires `mcp-revert`.
   * Default: no button.
   */
  declare canRevert: boolean;
  /** The accessible name of the list. Default: `Activity`, in the language of the page. */
  declare label: string | undefined;

  #activity: Activity | undefined;
  #failure: unknown;
  #filter: ActivityFilter = { what: 'data', connection: undefined };
  #rows: readonly Row[] = [];
  readonly #asked = new AskedOfPage(this);
  #ageTimer: ReturnType<typeof setInterval> | undefined;
  readonly #scroller = createRef<HTMLElement>();
  readonly #resource = new ResourceController(
    this,
    () => ({ client: this.connection.client, uri: ACTIVITY_URI }),
    ({ result }) => this.#read(result),
  );
  readonly #titles = new TitlesController(this, () => this.connection.client);
  readonly #virtual = new VirtualRows(this, {
    scroller: () => this.#scroller.value,
    keyOf: (index) => this.#rows[index]?.key ?? '',
  });
  #shownBy: unknown;
  #wasReconnecting = false;

  constructor() {
    super();
    this.canRevert = false;
    keepFocus(this, () => () => this.#scroller.value);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#ageTimer = setInterval(() => this.requestUpdate(), AGE_INTERVAL_MS);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#ageTimer);
  }

  /** Reads the log again, for example after an error. */
  retry(): void {
    this.#resource.reload();
  }

  protected override willUpdate(_changed: PropertyValues<this>): void {
    const { client, state } = this.connection;
    const isOther = client !== this.#shownBy;
    const isReconnecting = state === 'reconnecting';
    // After a restart of the server, the numbers belong to other connections.
    if (isOther || isReconnecting) this.#asked.clear();
    // Only once, so that the user can choose a client while the connection is lost.
    if (isOther || isReconnecting !== this.#wasReconnecting) this.#showAllClients();
    this.#wasReconnecting = isReconnecting;
    if (!isOther) return;
    this.#shownBy = client;
    this.#activity = undefined;
    this.#failure = undefined;
    this.#rows = [];
    this.#virtual.count = 0;
  }

  protected override render(): TemplateResult {
    if (!this.connection.client) {
      const text = msg('No server is connected.', { id: 'mcp.not-connected' });
      return html`<div class="message">${text}</div>`;
    }
    if (!this.#activity && !this.#error && !this.#isUnsupported) return renderLoading();
    const { note, isFailed } = this.#asked;
    return html`<div class="frame">
      ${this.#renderFilters()} ${renderConnection(this.connection.state)} ${this.#renderFailure()}
      ${this.#rows.length > 0 ? this.#renderList() : this.#renderEmpty()}
      <p class=${`note ${isFailed ? 'failed' : ''}`} role="status">${note}</p>
    </div>`;
  }

  /** The reason why the log, or its current state, cannot be shown. */
  get #error(): unknown {
    return this.#resource.isFailed ? this.#resource.error : this.#failure;
  }

  #renderFilters(): TemplateResult | typeof nothing {
    if (!this.#activity || this.#activity.entries.length === 0) return nothing;
    const numbers = new Set(this.#activity.entries.flatMap(({ connection = [] }) => connection));
    const listed = [...numbers].toSorted((first, second) => first - second).slice(0, MAX_CLIENTS);
    const { connection: chosen } = this.#filter;
    // The log may have lost a chosen client. Without its option, the user could not take the choice back.
    if (chosen !== undefined && !listed.includes(chosen)) listed.push(chosen);
    const clients = listed.map((connection) => ({
      connection,
      name: nameOfClient({ connection }, this.describeClient),
    }));
    return renderFilters(this.#filter, clients, (change) => this.#changeFilter(change));
  }

  /** Renders a failure, above the previous log. */
  #renderFailure(): TemplateResult | typeof nothing {
    const error = this.#error;
    if (!error || this.#isUnsupported) return nothing;
    const isEnded = this.connection.state === 'closed';
    return renderError(error, isEnded ? undefined : () => this.retry());
  }

  get #isUnsupported(): boolean {
    return this.#resource.hasNoResources || MISSING_CODES.includes(codeOf(this.#error));
  }

  #renderEmpty(): TemplateResult | typeof nothing {
    if (this.#isUnsupported) {
      const text = msg('This server keeps no log of its clients.', {
        id: 'mcp.activity.unsupported',
      });
      return html`<div class="message"><slot name="unsupported">${text}</slot></div>`;
    }
    if (!this.#activity) return nothing;
    if (this.#activity.entries.length === 0 || this.#isFilterOff) {
      const text = msg('Nothing has happened yet.', { id: 'mcp.activity.empty' });
      return html`<div class="message"><slot name="empty">${text}</slot></div>`;
    }
    return html`<div class="message">
      ${msg('Nothing matches the filters.', { id: 'mcp.activity.no-match' })}
    </div>`;
  }

  get #isFilterOff(): boolean {
    return this.#filter.what === 'data' && this.#filter.connection === undefined;
  }

  #renderList(): TemplateResult {
    const unusable = this.#activity?.unusable ?? 0;
    const count = formatNumber(unusable);
    return html`<div
        class="scroller"
        part="scroller"
        role="list"
        tabindex="0"
        aria-label=${this.label ?? msg('Activity', { id: 'mcp.activity.label' })}
        ${ref(this.#scroller)}
      >
        ${this.#virtual.render((index) => this.#renderRow(this.#rows[index]!, index))}
      </div>
      ${
        unusable > 0
          ? html`<p class="note">
              ${msg(str`Entries that cannot be shown: ${count}`, { id: 'mcp.resource-list.unusable' })}
            </p>`
          : nothing
      }`;
  }

  #renderRow(row: Row, index: number): TemplateResult {
    const isGroup = row.kind === 'group';
    return html`<div
      class=${`row ${row.kind}`}
      part=${isGroup ? 'group' : 'row'}
      role="listitem"
      aria-setsize=${this.#rows.length}
      aria-posinset=${index + 1}
    >
      ${isGroup ? renderGroup(row.group, this.#groupView) : this.#renderAction(row.action)}
    </div>`;
  }

  get #groupView(): Parameters<typeof renderGroup>[1] {
    return {
      describeClient: this.describeClient,
      asked: this.#asked,
      canRevoke: this.connection.state !== 'closed',
    };
  }

  #renderAction(action: Action): TemplateResult {
    const { outcome, timeMs } = action;
    const time = new Date(timeMs).toLocaleTimeString(languageTag(), { timeStyle: 'short' });
    const words = outcomeInWords(action);
    const sentence = sentenceOf(action, this.#titles.titles);
    return html`${renderSentence(sentence)}
      ${words ? html`<span class=${`outcome ${outcome}`}>${words}</span>` : nothing}
      ${this.canRevert ? renderReversal(action, sentence, this.#asked, () => this.retry()) : nothing}
      <time datetime=${isoOf(timeMs)}>${time}</time>`;
  }

  #read(result: Parameters<typeof activityOf>[0]): void {
    try {
      this.#activity = activityOf(result);
      this.#failure = undefined;
      const { entries } = this.#activity;
      this.#titles.want(entries.flatMap(({ method, uri }) => (isRead(method) && uri ? [uri] : [])));
    } catch (error) {
      this.#failure = error;
    }
    this.#updateRows();
  }

  #showAllClients(): void {
    if (this.#filter.connection !== undefined) this.#changeFilter({ connection: undefined });
  }

  #changeFilter(change: Partial<ActivityFilter>): void {
    this.#filter = { ...this.#filter, ...change };
    this.#updateRows();
  }

  #updateRows(): void {
    this.#virtual.keepPlace();
    const entries = this.#activity?.entries.filter((entry) => passes(entry, this.#filter)) ?? [];
    this.#rows = groupsOf(entries).flatMap((group): Row[] => [
      { kind: 'group', key: group.key, group },
      ...group.actions.map((action): Row => ({ kind: 'action', key: action.key, action })),
    ]);
    this.#virtual.count = this.#rows.length;
    this.requestUpdate();
  }
}

/** Whether the address of a request may belong to a resource with a title. */
const isRead = (method: string): boolean => method === 'resources/read' || method === 'access';

const isoOf = (timeMs: number): string => new Date(timeMs).toISOString();

declare global {
  interface HTMLElementTagNameMap {
    'mcp-activity': McpActivity;
  }
}
