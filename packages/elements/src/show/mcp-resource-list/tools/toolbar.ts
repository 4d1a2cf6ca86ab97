import { msg } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { icon, searchIcon } from '../../../base/look/icons.js';
import { truncateText } from '../../../base/text/truncate-text.js';
import { parseFilter, withValue, type Facet, type FacetValues } from './filters.js';

/** The properties that the toolbar shows and changes. */
export interface ToolbarOptions {
  searchable: boolean;
  sortable: boolean;
  filterable: boolean;
  query: string | null;
  sort: string | null;
  filter: string | null;
}

/** The maximum length of a query that the server accepts. */
const MAX_QUERY = 1_000;

/** The maximum number of values in a menu; of more tags, only the most frequent can be chosen. */
const MAX_VALUES = 20;

/** @param onkey Called with each key in the search field. */
export function renderToolbar(
  options: ToolbarOptions,
  values: FacetValues,
  onkey: (event: KeyboardEvent) => void,
): TemplateResult | typeof nothing {
  const { searchable, sortable, filterable } = options;
  if (!searchable && !sortable && !filterable) return nothing;
  return html`<div class="toolbar" part="toolbar">
    ${searchable ? renderSearch(options, onkey) : nothing}
    ${sortable ? renderSort(options) : nothing}
    ${filterable ? facets().map((facet) => renderFacet(options, facet, values)) : nothing}
  </div>`;
}

function renderSearch(
  options: ToolbarOptions,
  onkey: (event: KeyboardEvent) => void,
): TemplateResult {
  const label = msg('Search', { id: 'mcp.resource-list.search' });
  const onInput = ({ target }: InputEvent): void => {
    options.query = (target as HTMLInputElement).value;
  };
  return html`<label class="search">
    ${icon(searchIcon)}
    <input
      type="search"
      part="search"
      aria-label=${label}
      placeholder=${label}
      maxlength=${MAX_QUERY}
      .value=${options.query ?? ''}
      @input=${onInput}
      @keydown=${onkey}
    />
  </label>`;
}

function renderSort(options: ToolbarOptions): TemplateResult {
  const choices = [
    ['', msg('Server order', { id: 'mcp.resource-list.sort-server' })],
    ['name', msg('Name', { id: 'mcp.resource-list.sort-name' })],
    ['modified', msg('Newest first', { id: 'mcp.resource-list.sort-modified' })],
    ['-modified', msg('Oldest first', { id: 'mcp.resource-list.sort-oldest' })],
    ['size', msg('Largest first', { id: 'mcp.resource-list.sort-size' })],
    ['-size', msg('Smallest first', { id: 'mcp.resource-list.sort-smallest' })],
    ['priority', msg('Most important first', { id: 'mcp.resource-list.sort-priority' })],
  ] as const;
  return renderMenu({
    label: msg('Sort by', { id: 'mcp.resource-list.sort' }),
    choices,
    value: options.sort ?? '',
    onchange: (value) => (options.sort = value),
  });
}

function renderFacet(
  options: ToolbarOptions,
  { facet, label, all, names }: FacetTexts,
  values: FacetValues,
): TemplateResult | typeof nothing {
  const value = parseFilter(options.filter ?? '')[facet] ?? '';
  const known = [...values[facet]].toSorted(([, a], [, b]) => b - a).map(([one]) => one);
  const shown = known.slice(0, MAX_VALUES);
  if (value && !shown.includes(value)) shown.push(value);
  // A menu without a choice has no use.
  if (shown.length < (facet === 'kind' ? 2 : 1)) return nothing;
  return renderMenu({
    label,
    choices: [
      ['', all],
      ...shown.map((one) => [one, names[one] ?? truncateText(one, 60)] as const),
    ],
    value,
    onchange: (chosen) => (options.filter = withValue(options.filter ?? '', facet, chosen)),
  });
}

interface Menu {
  label: string;
  choices: readonly (readonly [value: string, text: string])[];
  value: string;
  onchange: (value: string) => void;
}

function renderMenu({ label, choices, value, onchange }: Menu): TemplateResult {
  return html`<select
    aria-label=${label}
    @change=${({ target }: Event) => onchange((target as HTMLSelectElement).value)}
  >
    ${choices.map(
      ([one, text]) => html`<option value=${one} .selected=${one === value}>${text}</option>`,
    )}
  </select>`;
}

interface FacetTexts {
  facet: Facet;
  label: string;
  all: string;
  names: { readonly [value: string]: string | undefined };
}

function facets(): FacetTexts[] {
  return [
    {
      facet: 'kind',
      label: msg('Kind', { id: 'mcp.resource-list.kind' }),
      all: msg('All kinds', { id: 'mcp.resource-list.all-kinds' }),
      names: {
        note: msg('Notes', { id: 'mcp.resource-list.notes' }),
        text: msg('Texts', { id: 'mcp.resource-list.kind-text' }),
        image: msg('Images', { id: 'mcp.resource-list.kind-image' }),
        audio: msg('Audio', { id: 'mcp.resource-list.kind-audio' }),
        video: msg('Videos', { id: 'mcp.resource-list.kind-video' }),
        folder: msg('Folders', { id: 'mcp.resource-list.kind-folder' }),
        other: msg('Other', { id: 'mcp.resource-list.other' }),
      },
    },
    {
      facet: 'audience',
      label: msg('Audience', { id: 'mcp.resource-list.audience' }),
      all: msg('All audiences', { id: 'mcp.resource-list.all-audiences' }),
      names: {
        user: msg('For the user', { id: 'mcp.resource-list.audience-user' }),
        assistant: msg('For the assistant', { id: 'mcp.resource-list.audience-assistant' }),
      },
    },
    {
      facet: 'tag',
      label: msg('Tag', { id: 'mcp.resource-list.tag' }),
      all: msg('All tags', { id: 'mcp.resource-list.all-tags' }),
      // The names of tags come from the server.
      names: Object.create(null) as FacetTexts['names'],
    },
  ];
}
