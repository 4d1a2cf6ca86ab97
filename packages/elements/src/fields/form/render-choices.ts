import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { formatNumber } from '../../base/text/format.js';
import type { ChoicesEntry } from './entry.js';
import { renderCheck, renderFieldset, type FormActions } from './render-control.js';

/** The number of options with which a longer list begins; more if more were chosen. */
const FIRST_OPTIONS = 10;

/** Renders check boxes. Those that are checked in advance come first, and are always visible. */
export function renderChoices(entry: ChoicesEntry, form: FormActions): TemplateResult {
  const { field, order, isWhole } = entry;
  const shown = isWhole ? order : order.slice(0, Math.max(FIRST_OPTIONS, entry.chosenFirst));
  return renderFieldset(
    entry,
    form,
    html`<div class="checks">${shown.map((index) => renderOption(entry, index, form))}</div>
      ${shown.length < order.length ? renderShowAll(entry, form) : nothing}`,
    field.options.length > 1 ? chosenInWords(entry) : undefined,
  );
}

/** The number of chosen options as a text: `3 of 14`. */
export function chosenInWords({ chosen, field }: ChoicesEntry): string {
  const [count, all] = [formatNumber(chosen.size), formatNumber(field.options.length)];
  return msg(str`${count} of ${all}`, { id: 'mcp.field.chosen-of' });
}

function renderOption(entry: ChoicesEntry, index: number, form: FormActions): TemplateResult {
  const { field, chosen, isNull } = entry;
  const toggle = (isOn: boolean): void => {
    if (isOn) chosen.add(index);
    else chosen.delete(index);
    form.edited(entry);
    form.redraw();
  };
  return renderCheck(field.options[index]!.title, chosen.has(index), toggle, {
    isDisabled: isNull,
  });
}

function renderShowAll(entry: ChoicesEntry, form: FormActions): TemplateResult {
  const all = formatNumber(entry.field.options.length);
  const show = (): void => {
    entry.isWhole = true;
    form.redraw();
  };
  return html`<button type="button" class="quiet" data-all=${entry.id} @click=${show}>
    ${msg(str`Show all ${all}`, { id: 'mcp.field.show-all' })}
  </button>`;
}
