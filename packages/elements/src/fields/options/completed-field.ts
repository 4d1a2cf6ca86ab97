import { msg } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { truncateText } from '../../base/text/truncate-text.js';

/** A field of a form. */
export interface CompletedField {
  /** The name of the argument or variable; no other field of the form has it. */
  name: string;
  /** What the user sees as its name. */
  label: string;
  description?: string | undefined;
  isRequired?: boolean | undefined;
  /** Whether it takes several values, one on each line. Such a field is not completed. */
  isList?: boolean | undefined;
  /** The longest value, in UTF-16 code units. */
  maxLength?: number | undefined;
}

/** How much of a name is in attributes, in UTF-16 code units. */
const MAX_NAME_LENGTH = 200;

/** The `name` of the control of a field. */
export function nameOf({ name }: CompletedField): string {
  return name.slice(0, MAX_NAME_LENGTH);
}

/** The id of the control of a field. */
export function idOf(field: CompletedField): string {
  // An id has no spaces; a name of a server may have any.
  return `field-${encodeURIComponent(nameOf(field).toWellFormed())}`;
}

/** The ids of what describes the control of a field. */
export function describedBy(field: CompletedField, error?: string): string | typeof nothing {
  const id = idOf(field);
  const ids = [error && `${id}-error`, field.description && `${id}-description`].filter(Boolean);
  return ids.length > 0 ? ids.join(' ') : nothing;
}

/**
 * A control with its label, description and error.
 *
 * @param error Why the value is not accepted.
 */
export function renderField(
  field: CompletedField,
  control: TemplateResult,
  error?: string,
): TemplateResult {
  const id = idOf(field);
  return html`<div class="field" part="field">
    <label for=${id}>
      <bdi>${truncateText(field.label)}</bdi> ${field.isRequired ? renderRequired() : nothing}
    </label>
    ${
      field.description
        ? html`<span class="description" id=${`${id}-description`}
            >${truncateText(field.description, 500)}</span
          >`
        : nothing
    }
    ${control} ${error ? html`<span class="error" id=${`${id}-error`}>${error}</span>` : nothing}
  </div>`;
}

function renderRequired(): TemplateResult {
  return html`<span class="required"
    >${msg('required', { id: 'mcp.template-form.required' })}</span
  >`;
}
