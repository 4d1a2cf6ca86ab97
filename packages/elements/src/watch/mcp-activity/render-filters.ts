import { msg } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import type { ActivityFilter } from './actions.js';

/** A client that the user can choose. */
export interface ClientChoice {
  connection: number;
  name: string;
}

/** The choices of a kind of activity and, where several clients exist, of one client. */
export function renderFilters(
  filter: ActivityFilter,
  clients: readonly ClientChoice[],
  onchange: (change: Partial<ActivityFilter>) => void,
): TemplateResult {
  const { what } = filter;
  const option = (value: ActivityFilter['what'], text: string): TemplateResult =>
    html`<option value=${value} ?selected=${value === what}>${text}</option>`;
  return html`<div class="bar filters" part="filters">
    <select
      aria-label=${msg('Kind of activity', { id: 'mcp.activity.kind' })}
      @change=${(event: Event) => onchange({ what: valueOf(event) as ActivityFilter['what'] })}
    >
      ${option('data', msg('Reads and tools', { id: 'mcp.activity.data' }))}
      ${option('tools', msg('Only tools', { id: 'mcp.activity.tools' }))}
      ${option('refused', msg('Only what did not succeed', { id: 'mcp.activity.only-refused' }))}
      ${option('all', msg('Everything', { id: 'mcp.activity.all' }))}
    </select>
    ${clients.length < 2 ? nothing : renderClients(filter, clients, onchange)}
  </div>`;
}

function renderClients(
  { connection }: ActivityFilter,
  clients: readonly ClientChoice[],
  onchange: (change: Partial<ActivityFilter>) => void,
): TemplateResult {
  const choose = (value: string): void =>
    onchange({ connection: value === '' ? undefined : Number(value) });
  return html`<select
    aria-label=${msg('Client', { id: 'mcp.activity.client' })}
    @change=${(event: Event) => choose(valueOf(event))}
  >
    <option value="" ?selected=${connection === undefined}>
      ${msg('All clients', { id: 'mcp.activity.all-clients' })}
    </option>
    ${clients.map(
      (client) =>
        html`<option value=${client.connection} ?selected=${client.connection === connection}>
          ${client.name}
        </option>`,
    )}
  </select>`;
}

const valueOf = ({ target }: Event): string => (target as HTMLSelectElement).value;
