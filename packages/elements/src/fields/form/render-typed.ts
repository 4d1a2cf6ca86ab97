import { html, nothing, type TemplateResult } from 'lit';
import { renderCostly } from '../../base/look/costly-text.js';
import type { TypedEntry } from '../entries/entry.js';
import type { NumberField, TextField } from '../schema/field.js';
import { firstValue } from '../entries/first-value.js';
import { describedBy, type FormActions } from './render-parts.js';

/** The `type` of an `<input>` for each kind of text. */
const INPUT_TYPES = {
  line: 'text',
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
  if (field.kind === 'number') return renderNumber(entry, field, form);
  if (field.kind === 'json' || field.control === 'lines') return renderLines(entry, form);
  return renderLine(entry, field.control, field, form);
}

function renderLine(
  entry: TypedEntry,
  control: keyof typeof INPUT_TYPES,
  field: TextField,
  form: FormActions,
): TemplateResult {
  const problem = form.problem(entry);
  return html`<input
    id=${entry.id}
    type=${INPUT_TYPES[control]}
    step=${control === 'date-time' ? 'any' : nothing}
    dir=${control === 'line' ? 'auto' : nothing}
    .value=${firstValue(entry.text)}
    ?required=${field.isRequired && field.minLength !== 0}
    ?disabled=${entry.isNull}
    autocomplete=${control === 'email' ? 'email' : 'off'}
    aria-label=${entry.label ?? nothing}
    aria-invalid=${problem !== undefined}
    aria-describedby=${describedBy(entry, problem)}
    @input=${(event: Event) => type(entry, event, form)}
    @change=${() => form.left(entry)}
  />`;
}

function renderNumber(entry: TypedEntry, field: NumberField, form: FormActions): TemplateResult {
  const problem = form.problem(entry);
  return html`<input
    id=${entry.id}
    type="number"
    step=${field.isInteger ? (field.multipleOf ?? 1) : 'any'}
    min=${field.minimum ?? nothing}
    max=${field.maximum ?? nothing}
    .value=${firstValue(entry.text)}
    ?required=${field.isRequired}
    ?disabled=${entry.isNull}
    autocomplete="off"
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
