import { msg } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { icon, warningIcon } from '../../base/look/icons.js';
import type { Entry, ListEntry } from '../entries/entry.js';

/** What the controls of a form call. */
export interface FormActions {
  /** Whether an entry is drawn already. */
  isDrawn(entry: Entry): boolean;
  /** The problem of an entry that is shown. */
  problem(entry: Entry): string | undefined;
  /** The user has changed an entry. */
  edited(entry: Entry): void;
  /** The user has changed an entry and left its control. */
  left(entry: Entry): void;
  /** The form has to be rendered again. */
  redraw(): void;
  /** Adds an item to a list. */
  add(entry: ListEntry): void;
  /** Removes an item of a list. */
  remove(entry: ListEntry, item: Entry): void;
}

/** A control with its label, and what belongs to both. */
export function renderLabelled(entry: Entry, form: FormActions, control: unknown): TemplateResult {
  return html`<div class="field" part="field">
    <label for=${entry.id}>${renderTitle(entry)}</label>
    ${renderDescription(entry)} ${control} ${renderNull(entry, form)} ${renderProblem(entry, form)}
  </div>`;
}

/** The title of a field. */
export function renderTitle({ field, label }: Entry): TemplateResult {
  const title = label || field.title || msg('Value', { id: 'mcp.field.value' });
  return html`<span class="title">${title}</span>${
      field.isRequired && field.kind !== 'flag' && label === undefined
        ? html` <span class="required">${msg('required', { id: 'mcp.field.is-required' })}</span>`
        : nothing
    }`;
}

/** What a field is for. */
export function renderDescription({ id, field }: Entry): TemplateResult | typeof nothing {
  if (!field.description) return nothing;
  return html`<p class="description" id="${id}-description">${field.description}</p>`;
}

/** Why the value of a field cannot be sent. */
export function renderProblem(entry: Entry, form: FormActions): TemplateResult | typeof nothing {
  const problem = form.problem(entry);
  if (problem === undefined) return nothing;
  return html`<p class="problem" id="${entry.id}-problem">${icon(warningIcon)} ${problem}</p>`;
}

/** The ids of what describes a control. */
export function describedBy({ id, field }: Entry, problem: string | undefined): unknown {
  const ids = [field.description && `${id}-description`, problem && `${id}-problem`];
  return ids.filter(Boolean).join(' ') || nothing;
}

/** A box to choose `null`, where that is a value of its own. */
function renderNull(entry: Entry, form: FormActions): TemplateResult | typeof nothing {
  const { field } = entry;
  const isOption = field.kind === 'choice' && field.options.some(({ value }) => value === null);
  if (!field.isNullable || isOption) return nothing;
  const toggle = (event: Event): void => {
    entry.isNull = (event.target as HTMLInputElement).checked;
    form.left(entry);
    form.redraw();
  };
  return html`<label class="check">
    <input type="checkbox" ?checked=${entry.isNull} @change=${toggle} />
    <span>${msg('No value (null)', { id: 'mcp.field.null' })}</span>
  </label>`;
}

/** Several controls with one title. */
export function renderFieldset(
  entry: Entry,
  form: FormActions,
  controls: TemplateResult,
): TemplateResult {
  const problem = form.problem(entry);
  return html`<fieldset
    class="field"
    part="field"
    id=${entry.id}
    ?data-invalid=${problem !== undefined}
    aria-describedby=${describedBy(entry, problem)}
  >
    <legend>${renderTitle(entry)}</legend>
    ${renderDescription(entry)} ${controls} ${renderNull(entry, form)} ${renderProblem(entry, form)}
  </fieldset>`;
}
