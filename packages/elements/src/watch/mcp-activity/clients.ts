import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { formatAge, formatDate, formatNumber, isolate } from '../../base/text/format.js';
import { truncateText } from '../../base/text/truncate-text.js';
import type { ActivityGroup } from './actions.js';
import type { Doer } from './log.js';
import { type AskedOfPage, McpRevokeEvent } from './asked-of-page.js';

/** A client, as the page describes it. */
interface ActivityClient {
  /** The name for people, such as `The assistant at https://assistant.example`. */
  name: string;
  /** Whether the page can end its access, for which a button is shown. Default: false. */
  isRevocable?: boolean | undefined;
}

/** The client of a connection, by its number in the log. */
export type DescribeClient = (connection: number) => ActivityClient | undefined;

/** The parts of the heading of a group, in addition to the group. */
interface GroupView {
  describeClient: DescribeClient | undefined;
  asked: AskedOfPage;
  /** Whether the page can still end the access of a client. */
  canRevoke: boolean;
}

/**
 * Renders the heading above the actions of a client: its name, the time, and the button that ends its access.
 */
export function renderGroup({ doer, timeMs }: ActivityGroup, view: GroupView): TemplateResult {
  const iso = new Date(timeMs).toISOString();
  // The name is not isolated, because the line would otherwise lose its direction, and cut its beginning.
  const name = knownName(doer, view.describeClient) ?? nameOfClient(doer, view.describeClient);
  return html`<h3 class="one-line" title=${name}>${name}</h3>
    <time datetime=${iso} title=${formatDate(timeMs)}>${formatAge(iso)}</time>
    ${renderRevocation(doer, view)}`;
}

/** The name of a client for the middle of a sentence. */
export function nameOfClient(doer: Doer, describeClient: DescribeClient | undefined): string {
  const name = knownName(doer, describeClient);
  if (name !== undefined) return isolate(name);
  if (doer.connection === undefined)
    return msg('An earlier client', { id: 'mcp.activity.earlier-client' });
  const number = formatNumber(doer.connection);
  return msg(str`Connection ${number}`, { id: 'mcp.activity.connection' });
}

/** The name that the page has for a client, or had when it made the change. */
function knownName(
  { connection, by }: Doer,
  describeClient: DescribeClient | undefined,
): string | undefined {
  const described = connection === undefined ? undefined : describeClient?.(connection)?.name;
  const name: unknown = described ?? by;
  return typeof name === 'string' && name !== '' ? truncateText(name) : undefined;
}

function renderRevocation(
  doer: Doer,
  { describeClient, asked, canRevoke }: GroupView,
): TemplateResult | typeof nothing {
  const { connection } = doer;
  if (connection === undefined) return nothing;
  const key = `revoke ${connection}`;
  const state = asked.stateOf(key);
  if (state === 'done')
    return html`<span class="revoked">
      ${msg('Access ended', { id: 'mcp.activity.revoked' })}
    </span>`;
  if (!canRevoke || describeClient?.(connection)?.isRevocable !== true) return nothing;
  const text = msg('End access', { id: 'mcp.activity.revoke' });
  const name = nameOfClient(doer, describeClient);
  const ask = (): void => {
    const done = msg(str`Access ended: ${name}`, { id: 'mcp.activity.revoked-of' });
    const ignored = msg('The page has not ended the access.', { id: 'mcp.activity.no-answer' });
    void asked.ask(key, new McpRevokeEvent(connection), { done, ignored });
  };
  return html`<button
    ?disabled=${state === 'pending'}
    aria-label=${`${text}: ${name}`}
    @click=${ask}
  >
    ${text}
  </button>`;
}
