import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { repeat } from 'lit/directives/repeat.js';
import { closeIcon, icon, plusIcon } from '../../base/look/icons.js';
import { writeJson } from '../../base/text/json-text.js';
import { amountOf } from '../schema/plain-schema.js';
import {
  MAX_ITEMS,
  type ChoiceEntry,
  type ChoicesEntry,
  type Entry,
  type FlagEntry,
  type GroupEntry,
  type ListEntry,
  type TypedEntry,
  type UnionEntry,
} from './entry.js';
import { renderChoices } from './render-choices.js';
import {
  describedBy,
  renderCheck,
  renderDescription,
  renderFieldset,
  renderLabelled,
  renderProblem,
  renderSelect,
  renderTitle,
  renderTyped,
  type FormActions,
} from './render-control.js';

/** The length of the part of a schema that is shown next to a field for JSON, in UTF-16 code units. */
const MAX_SCHEMA_LENGTH = 8_192;

/** All fields of a form. */
export function renderRoot(root: Entry, form: FormActions): TemplateResult {
  const fields =
    'children' in root
      ? root.children.map((child) => renderEntry(child, form))
      : renderEntry(root, form);
  return html`<div class="fields" part="fields">${keyed(root.id, fields)}</div>`;
}

function renderEntry(entry: Entry, form: FormActions): unknown {
  return keyed(entry.id, renderKind(entry, form));
}

function renderKind(entry: Entry, form: FormActions): TemplateResult {
  switch (entry.field.kind) {
    case 'text':
    case 'number':
      return renderLabelled(entry, form, renderTyped(entry as TypedEntry, form));
    case 'json':
      return renderJsonField(entry as TypedEntry, form);
    case 'flag':
      return renderFlag(entry as FlagEntry, form);
    case 'choice':
      return renderLabelled(entry, form, renderChoice(entry as ChoiceEntry, form));
    case 'choices':
      return renderChoices(entry as ChoicesEntry, form);
    case 'list':
      return renderList(entry as ListEntry, form);
    case 'group':
      return renderGroup(entry as GroupEntry, form);
    case 'union':
      return renderUnion(entry as UnionEntry, form);
  }
}

function renderJsonField(entry: TypedEntry, form: FormActions): TemplateResult {
  const { field } = entry;
  return html`<div class="field" part="field">
    <label for=${entry.id}>
      ${
        field.title
          ? renderTitle(entry)
          : html`<span class="title">${msg('All values', { id: 'mcp.field.all-values' })}</span>`
      }
      <span class="required">JSON</span>
    </label>
    ${renderDescription(entry)} ${renderTyped(entry, form)} ${renderSchema(entry, form)}
    ${renderProblem(entry, form)}
  </div>`;
}

/** Renders the schema. It is written only when the user opens it, because a form may have hundreds. */
function renderSchema(entry: TypedEntry, form: FormActions): TemplateResult {
  const toggle = (event: Event): void => {
    entry.isSchemaShown = (event.target as HTMLDetailsElement).open;
    form.redraw();
  };
  const schema = entry.isSchemaShown && writeJson(entry.field.schema, MAX_SCHEMA_LENGTH);
  return html`<details @toggle=${toggle}>
    <summary>${msg('Schema', { id: 'mcp.field.schema' })}</summary>
    ${schema ? html`<pre tabindex="0">${schema.text}${schema.isWhole ? nothing : '…'}</pre>` : nothing}
  </details>`;
}

function renderFlag(entry: FlagEntry, form: FormActions): TemplateResult {
  const toggle = (isOn: boolean): void => {
    entry.isOn = isOn;
    form.left(entry);
  };
  const more = { id: entry.id, description: describedBy(entry, undefined) };
  return html`<div class="field" part="field">
    ${renderCheck(renderTitle(entry), entry.isOn, toggle, more)} ${renderDescription(entry)}
  </div>`;
}

function renderChoice(entry: ChoiceEntry, form: FormActions): TemplateResult {
  const select = (chosen: number): void => {
    entry.chosen = chosen;
    form.left(entry);
  };
  const { id, field } = entry;
  return renderSelect(field.options, entry, select, { id, problem: form.problem(entry) });
}

function renderUnion(entry: UnionEntry, form: FormActions): TemplateResult {
  const { field, chosen, alternatives } = entry;
  const inner = alternatives[chosen];
  const select = (index: number): void => {
    entry.chosen = index;
    form.left(entry);
    form.redraw();
  };
  const label = field.title || msg('Value', { id: 'mcp.field.value' });
  return renderFieldset(
    entry,
    form,
    html`${renderSelect(field.alternatives, entry, select, { label })}
    ${inner && !entry.isNull ? html`<div class="fields">${renderEntry(inner, form)}</div>` : nothing}`,
  );
}

function renderList(entry: ListEntry, form: FormActions): TemplateResult {
  const { items, field } = entry;
  const { title } = field;
  const isFull = items.length >= Math.min(amountOf(field.own['maxItems']) ?? MAX_ITEMS, MAX_ITEMS);
  return renderFieldset(
    entry,
    form,
    html`${
        items.length === 0
          ? nothing
          : html`<ol class="items">
              ${repeat(
                items,
                ({ id }) => id,
                (item, index) => renderItem(entry, item, index, form),
              )}
            </ol>`
      }<button
        type="button"
        data-add=${entry.id}
        ?disabled=${isFull || entry.isNull}
        aria-label=${msg(str`Add an entry to ${title}`, { id: 'mcp.field.add-to' })}
        @click=${() => form.add(entry)}
      >
        ${icon(plusIcon)} ${msg('Add', { id: 'mcp.field.add' })}
      </button>`,
  );
}

function renderItem(
  entry: ListEntry,
  item: Entry,
  index: number,
  form: FormActions,
): TemplateResult {
  const [title, number] = [entry.field.title, index + 1];
  const label = msg(str`${title}, entry ${number}`, { id: 'mcp.field.entry' });
  item.label = label;
  const isSimple = item.field.kind === 'text' || item.field.kind === 'number';
  return html`<li data-item=${item.id}>
    ${
      isSimple
        ? html`<div class="field">
            ${keyed(item.id, renderTyped(item as TypedEntry, form))} ${renderProblem(item, form)}
          </div>`
        : renderEntry(item, form)
    }
    <button
      type="button"
      class="quiet remove"
      aria-label=${msg(str`Remove ${label}`, { id: 'mcp.field.remove' })}
      @click=${() => form.remove(entry, item)}
    >
      ${icon(closeIcon)}
    </button>
  </li>`;
}

function renderGroup(entry: GroupEntry, form: FormActions): TemplateResult {
  const { children, field, isPresent } = entry;
  return renderFieldset(
    entry,
    form,
    html`${field.isRequired ? nothing : renderPresence(entry, form)}
    ${isPresent ? html`<div class="fields">${children.map((one) => renderEntry(one, form))}</div>` : nothing}`,
  );
}

function renderPresence(entry: GroupEntry, form: FormActions): TemplateResult {
  const text = msg('Fill this part in', { id: 'mcp.field.fill-in' });
  return renderCheck(text, entry.isPresent, (isPresent) => {
    entry.isPresent = isPresent;
    form.redraw();
  });
}
