import { msg } from '@lit/localize';
import { html, noChange, nothing, type TemplateResult } from 'lit';
import { Directive, directive, type ElementPart, type Part } from 'lit/directive.js';
import { renderCostly } from '../../base/look/costly-text.js';
import { icon, warningIcon } from '../../base/look/icons.js';
import { translateText } from '../../base/text/translate-text.js';
import type { NumberField, TextField } from '../schema/field.js';
import { amountOf, numberOf } from '../schema/plain-schema.js';
import type { Entry, ListEntry, TypedEntry } from './entry.js';

/** The functions that the controls of a form call. */
export interface FormActions {
  /** Returns the problem of an entry that is shown. */
  problem(entry: Entry): string | undefined;
  /** Called when the user has changed an entry. */
  edited(entry: Entry): void;
  /** Called when the user has changed an entry and left its control. */
  left(entry: Entry): void;
  /** Called when the form has to be rendered again. */
  redraw(): void;
  /** Adds an item to a list. */
  add(entry: ListEntry): void;
  /** Removes an item of a list. */
  remove(entry: ListEntry, item: Entry): void;
}

/** A control with its label, and the parts that belong to both. */
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

/** The description of a field. */
export function renderDescription({ id, field }: Entry): TemplateResult | typeof nothing {
  if (!field.description) return nothing;
  const text = translateText(field.description);
  return html`<p class="description" id="${id}-description">${text}</p>`;
}

/** The reason why the value of a field cannot be sent. */
export function renderProblem(entry: Entry, form: FormActions): TemplateResult | typeof nothing {
  const problem = form.problem(entry);
  if (problem === undefined) return nothing;
  return html`<p class="problem" id="${entry.id}-problem">${icon(warningIcon)} ${problem}</p>`;
}

/** The ids of the texts that describe a control. */
export function describedBy({ id, field }: Entry, problem: string | undefined): unknown {
  const ids = [field.description && `${id}-description`, problem && `${id}-problem`];
  return ids.filter(Boolean).join(' ') || nothing;
}

/** A check box for `null`, if that is a value of its own. */
function renderNull(entry: Entry, form: FormActions): TemplateResult | typeof nothing {
  const { field } = entry;
  const isOption = field.kind === 'choice' && field.options.some(({ value }) => value === null);
  if (!field.isNullable || isOption) return nothing;
  return renderCheck(msg('No value (null)', { id: 'mcp.field.null' }), entry.isNull, (isNull) => {
    entry.isNull = isNull;
    form.left(entry);
    form.redraw();
  });
}

/** A check box with its text. */
export function renderCheck(
  text: unknown,
  isOn: boolean,
  onchange: (isOn: boolean) => void,
  {
    id,
    description,
    isDisabled = false,
  }: { id?: string; description?: unknown; isDisabled?: boolean } = {},
): TemplateResult {
  return html`<label class="check">
    <input
      id=${id ?? nothing}
      type="checkbox"
      ?checked=${isOn}
      ?disabled=${isDisabled}
      aria-describedby=${description ?? nothing}
      @change=${(event: Event) => onchange((event.target as HTMLInputElement).checked)}
    />
    <span>${text}</span>
  </label>`;
}

/** A choice of one title, or of none; `onchange` gets its index, −1 for none. */
export function renderSelect(
  titles: readonly { title: string }[],
  entry: Entry & { chosen: number },
  onchange: (chosen: number) => void,
  { id, label, problem }: { id?: string; label?: string; problem?: string | undefined },
): TemplateResult {
  return html`<select
    id=${id ?? nothing}
    aria-label=${label ?? nothing}
    ?required=${id !== undefined && entry.field.isRequired}
    ?disabled=${entry.isNull}
    aria-invalid=${id === undefined ? nothing : problem !== undefined}
    aria-describedby=${id === undefined ? nothing : describedBy(entry, problem)}
    @change=${(event: Event) => onchange((event.target as HTMLSelectElement).selectedIndex - 1)}
  >
    <option ?selected=${entry.chosen < 0} value="">
      ${msg('Not chosen', { id: 'mcp.field.not-chosen' })}
    </option>
    ${titles.map(
      ({ title }, index) =>
        html`<option ?selected=${index === entry.chosen} value=${index}>${title}</option>`,
    )}
  </select>`;
}

/**
 * Several controls with one title.
 *
 * @param remark A short text after the title. Default: none.
 */
export function renderFieldset(
  entry: Entry,
  form: FormActions,
  controls: TemplateResult,
  remark?: string,
): TemplateResult {
  const problem = form.problem(entry);
  return html`<fieldset
    class="field"
    part="field"
    id=${entry.id}
    ?data-invalid=${problem !== undefined}
    aria-describedby=${describedBy(entry, problem)}
  >
    <legend>
      ${renderTitle(entry)}
      ${remark === undefined ? nothing : html`<span class="required">${remark}</span>`}
    </legend>
    ${renderDescription(entry)} ${controls} ${renderNull(entry, form)} ${renderProblem(entry, form)}
  </fieldset>`;
}

/** The `type` of an `<input>` for a number, and for each kind of text. */
const INPUT_TYPES = {
  number: 'number',
  line: 'text',
  lines: 'text',
  email: 'email',
  url: 'url',
  date: 'date',
  'date-time': 'datetime-local',
} as const;

/**
 * The control of a text, a number, or JSON. The value that the user types stays in the control; the
 * entry follows it.
 */
export function renderTyped(entry: TypedEntry, form: FormActions): TemplateResult {
  const { field } = entry;
  if (entry.isCostly)
    return renderCostly(() => {
      entry.isCostly = false;
      form.redraw();
    });
  if (field.kind === 'json' || (field.kind === 'text' && field.control === 'lines'))
    return renderLines(entry, form);
  return renderLine(entry, field, form);
}

function renderLine(
  entry: TypedEntry,
  field: TextField | NumberField,
  form: FormActions,
): TemplateResult {
  const problem = form.problem(entry);
  const control = field.kind === 'number' ? 'number' : field.control;
  const isNumber = field.kind === 'number';
  const { type: ofType, minimum, maximum, minLength, multipleOf } = field.own;
  const step = ofType === 'integer' ? amountOf(multipleOf) || 1 : 'any';
  return html`<input
    id=${entry.id}
    type=${INPUT_TYPES[control]}
    step=${isNumber || control === 'date-time' ? step : nothing}
    min=${(isNumber ? numberOf(minimum) : undefined) ?? nothing}
    max=${(isNumber ? numberOf(maximum) : undefined) ?? nothing}
    dir=${control === 'line' ? 'auto' : nothing}
    .value=${firstValue(entry.text)}
    ?required=${field.isRequired && (isNumber || minLength !== 0)}
    ?disabled=${entry.isNull}
    autocomplete=${control === 'email' ? 'email' : 'off'}
    aria-label=${entry.label ?? nothing}
    aria-invalid=${problem !== undefined}
    aria-describedby=${describedBy(entry, problem)}
    @input=${(event: Event) => type(entry, event, form)}
    @change=${() => form.left(entry)}
  />`;
}

function renderLines(entry: TypedEntry, form: FormActions): TemplateResult {
  const problem = form.problem(entry);
  const isJson = entry.field.kind === 'json';
  return html`<textarea
    id=${entry.id}
    class=${isJson ? 'code' : nothing}
    rows=${isJson ? 4 : 1}
    dir=${isJson ? 'ltr' : 'auto'}
    spellcheck=${isJson ? 'false' : nothing}
    .value=${firstValue(entry.text)}
    ?required=${entry.field.isRequired}
    ?disabled=${entry.isNull}
    aria-label=${entry.label ?? nothing}
    aria-invalid=${problem !== undefined}
    aria-describedby=${describedBy(entry, problem)}
    @input=${(event: Event) => type(entry, event, form)}
    @change=${() => form.left(entry)}
  ></textarea>`;
}

function type(entry: TypedEntry, event: Event, form: FormActions): void {
  entry.text = (event.target as HTMLInputElement).value;
  form.edited(entry);
}

/**
 * Sets a value when its control is created, and never again: the user edits it from then on, and the typed
 * text may not be a value yet, such as `12e` for a number.
 */
class FirstValue extends Directive {
  #isSet = false;

  override render(value: string): string {
    return value;
  }

  override update(_part: Exclude<Part, ElementPart>, [value]: [string]): unknown {
    if (this.#isSet) return noChange;
    this.#isSet = true;
    return value;
  }
}

const firstValue = directive(FirstValue);
