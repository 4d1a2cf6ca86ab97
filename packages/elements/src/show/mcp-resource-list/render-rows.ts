import type { Resource } from '@inpage-mcp/client';
import { html, nothing, type TemplateResult } from 'lit';
import { icon, iconFor } from '../../base/look/type-icons.js';
import { formatAge, formatSize, joinFacts } from '../../base/text/format.js';
import { truncateText } from '../../base/text/truncate-text.js';
import { typeInWords } from '../../base/text/type-words.js';
import type { Cursor } from './rows/cursor.js';
import { decodePath, groupLabel, isHeading, type Row } from './rows/rows.js';

/** The parts with which rows are drawn, in addition to their resources. */
export interface RowView {
  /** Returns the text that marks a row which was just updated. */
  updateOf: (row: Row) => string | undefined;
  /** The parts that only some lists have; absent until they are loaded. */
  tools?: RowTools | undefined;
}

/** The further parts of a row. */
export interface RowTools {
  /** Renders the controls before the icon: a box to select the row, an arrow that opens it. */
  renderControls(row: Row): unknown;
  /** Returns the line of a resource in which the server has found the searched text. */
  excerptOf(row: Row): string | undefined;
  /** Returns a text in which the searched text is marked. */
  mark(text: string): unknown;
}

const DIRECTORY = 'inode/directory';

/** Renders rows; those of a group are in an element with the name of the group. */
export function renderRows(cursor: Cursor, indexes: readonly number[], view: RowView): unknown {
  const groups: { group: string; own: TemplateResult[] }[] = [];
  const repeated = repeatedTitles(indexes.map((index) => titleOf(cursor.rows.at(index))));
  for (const index of indexes) {
    const group = cursor.rows.groupAt(index);
    if (groups.at(-1)?.group !== group) groups.push({ group, own: [] });
    groups.at(-1)!.own.push(renderRow(cursor, index, view, repeated));
  }
  return groups.map(({ group, own }) =>
    group ? html`<div role="group" aria-label=${groupLabel(group)}>${own}</div>` : own,
  );
}

/** A row; its element carries the index of the row. */
function renderRow(
  cursor: Cursor,
  index: number,
  view: RowView,
  repeated: ReadonlySet<string>,
): TemplateResult {
  const { rows, active, selected } = cursor;
  const row = rows.at(index);
  if (isHeading(row))
    return html`<div class="row heading" part="heading" aria-hidden="true">${row.label}</div>`;
  const { resource, level, isOpen, place, setSize } = row;
  const update = view.updateOf(row);
  const title = titleOf(row);
  const beside = resource && repeated.has(title) ? placeOf(resource.uri) : '';
  const { tools } = view;
  const excerpt = tools?.excerptOf(row);
  const details = update ?? excerpt ?? (resource && detailsOf(resource, beside));
  const mimeType = resource?.mimeType ?? (resource ? '' : DIRECTORY);
  return html`<div
    id=${`option-${row.id}`}
    class=${`row${update ? ' updated' : ''}${row.key === active ? ' active' : ''}`}
    part="row"
    role=${rows.role === 'tree' ? 'treeitem' : 'option'}
    aria-selected=${resource ? selected.has(row.key) : nothing}
    aria-level=${level ?? nothing}
    aria-expanded=${isOpen ?? nothing}
    aria-setsize=${setSize}
    aria-posinset=${place}
    data-index=${index}
  >
    <div class="body" role="presentation">
      ${tools?.renderControls(row)} ${icon(iconFor(mimeType))}
      <span class="one-line title" part="title" title=${title}>${tools?.mark(title) ?? title}</span>
      <span class="one-line details" part="details"
        >${excerpt && !update ? [beside && `${beside} · `, tools?.mark(excerpt)] : details}</span
      >
    </div>
  </div>`;
}

/** The title of a row. */
function titleOf({ resource, label }: Row): string {
  return truncateText(label || resource?.title || resource?.name || resource?.uri || '?');
}

/** The titles that occur more than once in the drawn rows, which are the rows that a user compares. */
function repeatedTitles(titles: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  return new Set(titles.filter((title) => seen.size === seen.add(title).size));
}

/** The folder of an address, or the address without its scheme if it has no folder. */
function placeOf(uri: string): string {
  const path = truncateText(uri, 1_000).replace(/^[^:]*:\/*/, '');
  const folder = path.slice(0, path.lastIndexOf('/', path.length - 2) + 1) || path;
  return truncateText(decodePath(folder), 100);
}

/**
 * The details of a row.
 *
 * @param place The folder; empty unless another row has the same title.
 */
function detailsOf({ uri, mimeType, size, annotations }: Resource, place: string): string {
  return joinFacts([
    place,
    typeInWords(uri, mimeType),
    size === undefined ? '' : formatSize(size),
    annotations?.lastModified && formatAge(annotations.lastModified),
  ]);
}
