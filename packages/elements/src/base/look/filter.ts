import { html, type TemplateResult } from 'lit';

/**
 * Renders a choice of one of several filters.
 *
 * @param label The accessible name.
 * @param options The values with their texts, in order.
 */
export function renderFilter<Value extends string>(
  label: string,
  options: readonly (readonly [value: Value, text: string])[],
  chosen: Value,
  onchange: (value: Value) => void,
): TemplateResult {
  const change = ({ target }: Event): void =>
    onchange((target as HTMLSelectElement).value as Value);
  // The property, because the attribute selects nothing once the user has chosen.
  return html`<select aria-label=${label} @change=${change}>
    ${options.map(
      ([value, text]) =>
        html`<option value=${value} .selected=${value === chosen}>${text}</option>`,
    )}
  </select>`;
}
