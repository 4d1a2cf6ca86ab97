import { nothing, type LitElement, type TemplateResult } from 'lit';
import { createEntry } from './create-entry.js';
import type { Entry, ListEntry } from './entry.js';
import { isEmptyEntry, valueOf } from './entry-value.js';
import type { Field } from './field.js';
import { objectProblem, problemOf } from './problem.js';
import { readSchema } from './read-schema.js';
import { renderRoot } from './render-entry.js';
import type { FormActions } from './render-parts.js';

/** What a control of a form can do, whichever it is. */
type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/**
 * A form for a JSON Schema, rendered in the shadow root of its host: its entries, and the problems
 * that are shown. The values are checked when the user leaves a field, and all of them by `check()`.
 */
export class SchemaForm implements FormActions {
  readonly #host: LitElement;
  readonly #problems = new Map<string, string>();
  #schema: unknown;
  #field: Field | undefined;
  #root: Entry | undefined;
  #isJson = false;

  constructor(host: LitElement) {
    this.#host = host;
  }

  /** Whether the user edits all values as one JSON text. */
  get isJson(): boolean {
    return this.#isJson;
  }

  /** Whether there is nothing to fill in. */
  get isEmpty(): boolean {
    return !this.#root || ('children' in this.#root && this.#root.children.length === 0);
  }

  /** How many fields have a problem that is shown. */
  get problemCount(): number {
    return this.#problems.size;
  }

  /**
   * Shows the fields of a schema.
   *
   * @param values By name; those for which there is no field are left out, because nobody would see
   *   what is sent. Default: those of the schema.
   */
  show(schema: unknown, values: { readonly [name: string]: unknown } = {}): void {
    this.#schema = schema;
    this.#field = readSchema(schema);
    this.#isJson = false;
    const known = knownValues(this.#field, values);
    this.#start(Object.keys(known).length > 0 ? known : undefined);
  }

  /** Shows no fields. */
  clear(): void {
    this.#field = undefined;
    this.#root = undefined;
    this.#problems.clear();
  }

  /** The values by name, without those of empty fields. To be used after `check()`. */
  get value(): { [name: string]: unknown } {
    const value = this.#root && valueOf(this.#root);
    return typeof value === 'object' && value !== null
      ? (value as { [name: string]: unknown })
      : {};
  }

  /**
   * Shows all values as JSON, or in their fields again. Returns whether that was possible: JSON that
   * is not valid stays as it is, with its problem.
   */
  toggleJson(): boolean {
    if (!this.#field || (this.#isJson && !this.check())) return false;
    const { value } = this;
    this.#isJson = !this.#isJson;
    this.#start(value);
    return true;
  }

  /** Whether every value can be sent. If not, shows why, and moves the focus to the first problem. */
  check(): boolean {
    this.#problems.clear();
    if (this.#root) this.#checkAll(this.#root);
    this.#host.requestUpdate();
    if (this.#problems.size === 0) return true;
    void this.#focusAfterUpdate('[aria-invalid=true], [data-invalid]');
    return false;
  }

  render(): TemplateResult | typeof nothing {
    return this.#root ? renderRoot(this.#root, this) : nothing;
  }

  problem(entry: Entry): string | undefined {
    return this.#problems.get(entry.id);
  }

  edited(entry: Entry): void {
    if (this.#problems.has(entry.id)) this.#checkOne(entry);
  }

  left(entry: Entry): void {
    // Nobody is told that a field is empty before the form is sent.
    if (isEmptyEntry(entry) && !this.#isBad(entry)) this.#forget(entry);
    else this.#checkOne(entry);
  }

  update(): void {
    this.#host.requestUpdate();
  }

  add(entry: ListEntry): void {
    const item = createEntry(entry.field.item);
    entry.items = [...entry.items, item];
    this.edited(entry);
    this.update();
    void this.#focusAfterUpdate(`[data-item="${item.id}"] :is(input, select, textarea, button)`);
  }

  remove(entry: ListEntry, item: Entry): void {
    const index = entry.items.indexOf(item);
    entry.items = entry.items.filter((one) => one !== item);
    this.#forgetAll(item);
    this.edited(entry);
    this.update();
    const next = entry.items[index] ?? entry.items.at(-1);
    const remove = next && `[data-item="${next.id}"] > .remove`;
    void this.#focusAfterUpdate(remove ?? `[data-add="${entry.id}"]`);
  }

  #start(value: unknown): void {
    this.#problems.clear();
    const json = {
      ...this.#field!,
      kind: 'json',
      schema: this.#schema,
      name: '',
      title: '',
    } as const;
    this.#root = createEntry(this.#isJson ? json : this.#field!, value);
    this.#isJson = this.#root.field.kind === 'json';
    this.update();
  }

  #checkAll(entry: Entry): void {
    if (entry.isNull) return;
    if ('children' in entry && entry.isPresent)
      entry.children.forEach((one) => this.#checkAll(one));
    if ('items' in entry) entry.items.forEach((one) => this.#checkAll(one));
    this.#checkOne(entry);
  }

  #checkOne(entry: Entry): void {
    const control = this.#control(entry);
    const problem = this.#rootProblem(entry) ?? problemOf(entry, control?.validity);
    control?.setCustomValidity(problem ?? '');
    if (problem === undefined) this.#problems.delete(entry.id);
    else this.#problems.set(entry.id, problem);
    this.update();
  }

  /** All values together are an object. */
  #rootProblem(entry: Entry): string | undefined {
    if (entry !== this.#root || !('text' in entry) || entry.text === '') return undefined;
    return problemOf(entry) ?? objectProblem(valueOf(entry));
  }

  #isBad(entry: Entry): boolean {
    return this.#control(entry)?.validity.badInput === true;
  }

  #forget(entry: Entry): void {
    this.#control(entry)?.setCustomValidity('');
    if (this.#problems.delete(entry.id)) this.update();
  }

  #forgetAll(entry: Entry): void {
    this.#problems.delete(entry.id);
    if ('children' in entry) entry.children.forEach((one) => this.#forgetAll(one));
    if ('items' in entry) entry.items.forEach((one) => this.#forgetAll(one));
  }

  #control(entry: Entry): Control | undefined {
    const found = this.#host.renderRoot.querySelector<Control>(`#${entry.id}`);
    return found && 'validity' in found ? found : undefined;
  }

  async #focusAfterUpdate(selector: string): Promise<void> {
    await this.#host.updateComplete;
    const found = this.#host.renderRoot.querySelector<HTMLElement>(selector);
    const controls = 'input, select, textarea, button';
    const target = found?.matches(controls) ? found : found?.querySelector<HTMLElement>(controls);
    target?.focus();
  }
}

function knownValues(field: Field, values: { readonly [name: string]: unknown }): object {
  if (field.kind !== 'group') return values;
  const names = new Set(field.children.map(({ name }) => name));
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)));
}
