import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { formatAge, formatDate, formatNumber } from '../../base/text/format.js';
import { isolate } from '../../base/text/isolate.js';
import { truncateText } from '../../base/text/truncate-text.js';
import type { ActivityGroup } from './actions.js';
import type { Revocations } from './revocations.js';

/** A client as the page knows it. */
export interface ActivityClient {
  /** For people, such as `The assistant at https://assistant.example`. */
  name: string;
  /** Whether the page can end its access: a button is then shown. Default: false. */
  isRevocable?: boolean | undefined;
}

/** The client of a connection, by its number in the log. */
export type DescribeClient = (connection: number) => ActivityClient | undefined;

/** What the heading of a group shows besides the group. */
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

/** What a client is called in the middle of a sentence. */
export function nameOfClient(
  connection: number,
  describeClient: DescribeClient | undefined,
): string {
  const name = knownName(connection, describeClient);
  if (name !== undefined) return isolate(name);
  const number = formatNumber(connection);
  return msg(str`Connection ${number}`, { id: 'mcp.activity.connection' });
}

/** What the page calls a client. */
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
