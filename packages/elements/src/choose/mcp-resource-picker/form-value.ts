import { msg } from '@lit/localize';
import type { Choice } from './choice.js';

/** What the form knows of the picker. */
export interface FormField {
  name: string | undefined;
  required: boolean;
  /** What the browser points to when a resource is missing. */
  anchor: HTMLElement | undefined;
}

/** Gives the form the uris, one entry for each, and says whether one is missing. */
export class FormValue {
  readonly #internals: ElementInternals;
  #synced: readonly unknown[] = [];

  constructor(internals: ElementInternals) {
    this.#internals = internals;
  }

  /** Cheap to call with every render. */
  sync(choice: Choice, { name, required, anchor }: FormField): void {
    const { uris, revoked } = choice;
    const missing =
      required && uris.length === 0
        ? msg('Choose at least one resource.', { id: 'mcp.resource-picker.missing' })
        : '';
    const inputs = [uris, revoked, name, missing, anchor];
    if (inputs.every((input, index) => input === this.#synced[index])) return;
    this.#synced = inputs;
    const entries = new FormData();
    if (name) for (const uri of uris) entries.append(name, uri);
    this.#internals.setFormValue(entries, choice.state);
    this.#internals.setValidity({ valueMissing: missing !== '' }, missing, anchor);
  }
}
