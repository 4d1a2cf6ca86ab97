import { msg } from '@lit/localize';
import { html, nothing, type LitElement, type TemplateResult } from 'lit';
import { writeJson } from '../../base/text/json-text.js';
import type { Field } from '../schema/field.js';
import { readSchema } from '../schema/read-schema.js';
import {
  createEntry,
  innerOf,
  type ChoicesEntry,
  isEmptyEntry,
  valueOf,
  type Entry,
  type ListEntry,
} from './entry.js';
import { objectProblem, problemOf } from './problem.js';
import { chosenInWords } from './render-choices.js';
import type { FormActions } from './render-control.js';
import { renderRoot } from './render-entry.js';

/** The maximum length of a schema that is compared, in UTF-16 code units. */
const MAX_SCHEMA_LENGTH = 262_144;

/**
 * A form for a JSON Schema, rendered in the shadow root of its host: its entries, and the problems
 * that are shown. The values are checked when the user leaves a field, and all of them by `check()`.
 */
export class SchemaForm implements FormActions {
  readonly #host: LitElement;
  /** The problems that are shown, by the ids of their entries. */
  readonly #problems = new Map<string, string>();
  #schema: unknown;
  #field: Field | undefined;
  #root: Entry | undefined;
  /** Whether the user edits all values as one JSON text. */
  isJson = false;

  constructor(host: LitElement) {
    this.#host = host;
  }

  /** Whether the form has no fields. */
  get isEmpty(): boolean {
    return !this.#root || ('children' in this.#root && this.#root.children.length === 0);
  }

  /** Whether the values can be edited in fields, and as one JSON text. */
  get hasBothViews(): boolean {
    if (this.#field?.kind === 'union') return true;
    return this.#field?.kind === 'group' && this.#field.children.length > 0;
  }

  /** The number of fields with a problem that is shown. A hidden field keeps its problem for its return. */
  get problemCount(): number {
    const entries = this.#root ? entriesIn(this.#root) : [];
    return entries.filter(({ id }) => this.#problems.has(id)).length;
  }

  /**
   * Shows the fields of a schema.
   *
   * @param values The values by name. Those without a field are left out, because the user would not see what
   *   is sent. Default: those of the schema.
   */
  show(schema: unknown, values: { readonly [name: string]: unknown } = {}): void {
    this.#schema = schema;
    this.#field = readSchema(schema);
    this.isJson = false;
    const known = knownValues(this.#field, values);
    this.#start(Object.keys(known).length > 0 ? known : undefined);
  }

  /** Shows the next version of the schema, with the user's input. */
  update(schema: unknown): void {
    const before = this.#root;
    if (before && isSameSchema(schema, this.#schema)) return;
    const { value } = this;
    const isJson = this.isJson && this.hasBothViews;
    this.show(schema, value);
    if (isJson) this.#startAs(true, value);
    if (before && this.#root) keepTexts(before, this.#root);
  }

  /** Shows no fields. */
  clear(): void {
    this.#field = undefined;
    this.#root = undefined;
    this.#problems.clear();
  }

  /** The values by name, without those of empty fields. Use it after `check()`. */
  get value(): { [name: string]: unknown } {
    const value = this.#root && valueOf(this.#root);
    return typeof value === 'object' && value !== null
      ? (value as { [name: string]: unknown })
      : {};
  }

  /**
   * Shows all values as JSON, or in their fields again. Returns whether that was possible: a text that is not
   * a value, such as unfinished JSON, stays as it is, with its problem.
   */
  toggleJson(): boolean {
    if (!this.#field || !this.#checkWith((entry) => this.#lossProblem(entry))) return false;
    this.#startAs(!this.isJson, this.value);
    return true;
  }

  /** Whether every value can be sent. If not, shows the reason, and moves the focus to the first problem. */
  check(): boolean {
    return this.#checkWith((entry) => this.#problemIn(entry));
  }

  render(): TemplateResult | typeof nothing {
    if (!this.#root) return nothing;
    return html`${this.hasBothViews ? nothing : this.#renderRemark()}
    ${renderRoot(this.#root, this)}`;
  }

  /**
   * Renders the number of chosen options in each list of the first level, for a place from which the list is
   * not visible.
   */
  renderChosen(): TemplateResult | typeof nothing {
    const children = this.#root && 'children' in this.#root ? this.#root.children : [];
    const lists = children.filter((entry) => entry.field.kind === 'choices') as ChoicesEntry[];
    if (lists.length === 0) return nothing;
    const counts = lists.map((entry) => `${entry.field.title}: ${chosenInWords(entry)}`);
    return html`<p class="facts chosen">${counts.map((count) => html`<span>${count}</span>`)}</p>`;
  }

  #renderRemark(): TemplateResult | typeof nothing {
    if (!this.isJson) return nothing;
    return html`<p class="facts">
      ${msg('These values cannot be shown in fields: there are too many, or their schema is unusual. Write them as JSON.', { id: 'mcp.field.only-json' })}
    </p>`;
  }

  problem(entry: Entry): string | undefined {
    return this.#problems.get(entry.id);
  }

  edited(entry: Entry): void {
    if (this.#problems.has(entry.id)) this.#checkOne(entry);
  }

  left(entry: Entry): void {
    // An empty field has no problem before the form is sent.
    if (!isEmptyEntry(entry) || this.#isBad(entry)) return this.#checkOne(entry);
    this.#setProblem(entry, undefined);
    this.redraw();
  }

  redraw(): void {
    this.#host.requestUpdate();
  }

  add(entry: ListEntry): void {
    const item = createEntry(entry.field.item);
    entry.items = [...entry.items, item];
    this.edited(entry);
    this.redraw();
    void this.#focusAfterUpdate(`[data-item="${item.id}"] :is(input, select, textarea, button)`);
  }

  remove(entry: ListEntry, item: Entry): void {
    const index = entry.items.indexOf(item);
    entry.items = entry.items.filter((one) => one !== item);
    this.#forgetProblems(item);
    this.edited(entry);
    this.redraw();
    const next = entry.items[index] ?? entry.items.at(-1);
    const remove = next && `[data-item="${next.id}"] > .remove`;
    void this.#focusAfterUpdate(remove ?? `[data-add="${entry.id}"]`);
  }

  #startAs(isJson: boolean, value: unknown): void {
    this.isJson = isJson;
    this.#start(value);
  }

  #start(value: unknown): void {
    this.#problems.clear();
    const facts = { ...this.#field!, schema: this.#schema, name: '', title: '' };
    const json: Field = { ...facts, kind: 'json' };
    this.#root = createEntry(this.isJson ? json : this.#field!, value);
    this.isJson = this.#root.field.kind === 'json';
    this.redraw();
  }

  #checkWith(problemIn: (entry: Entry) => string | undefined): boolean {
    this.#problems.clear();
    for (const entry of this.#root ? entriesIn(this.#root) : [])
      this.#setProblem(entry, problemIn(entry));
    const isRight = this.#problems.size === 0;
    this.redraw();
    if (!isRight) void this.#focusAfterUpdate('[aria-invalid=true], [data-invalid]');
    return isRight;
  }

  #checkOne(entry: Entry): void {
    this.#setProblem(entry, this.#problemIn(entry));
    this.redraw();
  }

  #problemIn(entry: Entry): string | undefined {
    return this.#rootProblem(entry) ?? problemOf(entry, this.#controlOf(entry)?.validity);
  }

  /** Shows the problem of an entry, or none; it is also passed to the browser. */
  #setProblem(entry: Entry, problem: string | undefined): void {
    this.#controlOf(entry)?.setCustomValidity(problem ?? '');
    if (problem === undefined) this.#problems.delete(entry.id);
    else this.#problems.set(entry.id, problem);
  }

  /** Drops the problems of an entry that is removed. */
  #forgetProblems(entry: Entry): void {
    this.#problems.delete(entry.id);
    const all = 'children' in entry ? entry.children : innerOf(entry);
    for (const one of all) this.#forgetProblems(one);
  }

  #controlOf({ id }: Entry): HTMLInputElement | undefined {
    const found = this.#host.renderRoot.querySelector(`#${id}`);
    return found && 'validity' in found ? (found as HTMLInputElement) : undefined;
  }

  /** The problem of a text that would be lost in another view. */
  #lossProblem(entry: Entry): string | undefined {
    if (!('text' in entry)) return undefined;
    const isLost = this.#isBad(entry) || (entry.text !== '' && valueOf(entry) === undefined);
    return isLost ? this.#problemIn(entry) : this.#rootProblem(entry);
  }

  /** The problem of all values together, which must be an object. */
  #rootProblem(entry: Entry): string | undefined {
    if (entry !== this.#root || !('text' in entry) || entry.text === '') return undefined;
    const value = valueOf(entry);
    return value === undefined ? undefined : objectProblem(value);
  }

  #isBad(entry: Entry): boolean {
    return this.#controlOf(entry)?.validity.badInput === true;
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

function isSameSchema(one: unknown, other: unknown): boolean {
  const [text, otherText] = [one, other].map((schema) => writeJson(schema, MAX_SCHEMA_LENGTH, 0));
  return text!.isWhole && otherText!.isWhole && text!.text === otherText!.text;
}

/** The entries that have a value, the inner ones first. */
function entriesIn(entry: Entry): readonly Entry[] {
  if (entry.isNull) return [];
  return [...innerOf(entry).flatMap(entriesIn), entry];
}

/** Copies the texts that are not values, such as unfinished JSON, to the same fields of another form. */
function keepTexts(from: Entry, to: Entry): void {
  if ('text' in from && 'text' in to) {
    if (from.text === '' || valueOf(from) !== undefined) return;
    to.text = from.text;
  }
  if ('children' in from && 'children' in to)
    for (const child of from.children) {
      const same = to.children.find(({ field }) => field.name === child.field.name);
      if (same) keepTexts(child, same);
    }
  const [items, others] = [from, to].map(listOf);
  items!.forEach((item, index) => {
    const same = others![index];
    if (same) keepTexts(item, same);
  });
}

/** The entries of a list, and the alternatives of a union: they have no names. */
function listOf(entry: Entry): readonly Entry[] {
  if ('items' in entry) return entry.items;
  return 'alternatives' in entry ? entry.alternatives : [];
}
