// The page of an element: the content of its document, live, with the API from the manifest.
import { escapeHtml, inline } from './markdown.mjs';

/**
 * @typedef {import('../elements/manifest-types.mjs').Element} Element
 * @typedef {import('../elements/manifest-types.mjs').Named} Named
 */

/** @param {{ tagName: string }} element */
export const liveExample = ({ tagName }) =>
  `<div class="live" data-element="${tagName}"><noscript>The example needs scripts.</noscript></div>`;

/** The tables of an element. @param {Element} element */
export function apiOf({
  members = [],
  events,
  slots,
  cssParts,
  cssProperties,
  cssStates,
  attributes,
}) {
  const attributeOf = new Map(
    (attributes ?? []).map((one) => [one.fieldName ?? one.name, one.name]),
  );
  const fields = members.filter(({ kind }) => kind === 'field');
  const methods = members.filter(({ kind }) => kind === 'method');
  return [
    table('Properties', ['property', 'attribute', 'type', 'what it is'], fields, (field) => [
      code(field.name),
      attributeOf.has(field.name) ? code(attributeOf.get(field.name) ?? '') : '',
      code(field.type?.text ?? ''),
      inline(field.description),
    ]),
    table('Methods', ['method', 'what it does'], methods, ({ name, description }) => [
      code(`${name}()`),
      inline(description),
    ]),
    table('Events', ['event', 'type', 'when'], events, ({ name, type, description }) => [
      code(name),
      code(type?.text ?? 'Event'),
      inline(description),
    ]),
    named('Slots', 'slot', slots),
    named('Parts', 'part', cssParts),
    named('Custom properties', 'property', cssProperties),
    named('States', 'state', cssStates),
  ].join('\n');
}

/** @param {string} title @param {string} column @param {Named[] | undefined} rows */
const named = (title, column, rows) =>
  table(title, [column, 'what it is'], rows, ({ name, description }) => [
    code(name || '(default)'),
    inline(description),
  ]);

/**
 * @template {Named} Row
 * @param {string} title
 * @param {string[]} columns
 * @param {Row[] | undefined} rows
 * @param {(row: Row) => string[]} cells
 */
function table(title, columns, rows, cells) {
  if (!rows || rows.length === 0) return '';
  const head = columns.map((column) => `<th scope="col">${column}</th>`).join('');
  const body = rows
    .map(
      (row) =>
        `<tr>${cells(row)
          .map((cell) => `<td>${cell}</td>`)
          .join('')}</tr>`,
    )
    .join('\n');
  const id = `api-${title.toLowerCase().replaceAll(' ', '-')}`;
  return `<h3 id="${id}">${title}</h3>
<div class="table" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

/** @param {string} text */
const code = (text) => `<code>${escapeHtml(text)}</code>`;
