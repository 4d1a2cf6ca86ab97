import { isCostlyToEdit } from '../../base/look/costly-text.js';
import { writeJson } from '../../base/text/json-text.js';
import type {
  ChoiceField,
  ChoicesField,
  Field,
  FlagField,
  GroupField,
  JsonField,
  ListField,
  NumberField,
  TextField,
  UnionField,
} from '../schema/field.js';
import { amountOf } from '../schema/plain-schema.js';

/** The facts that all entries have. */
interface EntryFacts<OwnField extends Field> {
  /** The id, unique in the document; also that of the control. */
  readonly id: string;
  readonly field: OwnField;
  /** Whether the user has chosen `null`. */
  isNull: boolean;
  /** The title of an item of a list, with its place in the list. */
  label?: string;
}

/** A text in the form in which its control has it, also for a number and for JSON. */
export interface TypedEntry extends EntryFacts<TextField | NumberField | JsonField> {
  text: string;
  /** Whether its first text takes long to show in a control, and is not shown yet. */
  isCostly?: boolean;
  /** Whether the user looks at the schema; only for JSON. */
  isSchemaShown?: boolean;
}

/** A boolean. */
export interface FlagEntry extends EntryFacts<FlagField> {
  isOn: boolean;
}

/** The index of an option; −1 for none. */
export interface ChoiceEntry extends EntryFacts<ChoiceField> {
  chosen: number;
}

/** The indexes of some options. */
export interface ChoicesEntry extends EntryFacts<ChoicesField> {
  readonly chosen: Set<number>;
  /** The indexes in the order in which they are shown: those that are chosen in advance come first. */
  readonly order: readonly number[];
  /** The number of options that are chosen in advance. */
  readonly chosenFirst: number;
  /** Whether all of a long list is shown. */
  isWhole?: boolean;
}

/** Any number of entries. */
export interface ListEntry extends EntryFacts<ListField> {
  items: readonly Entry[];
}

/** An entry for each property. */
export interface GroupEntry extends EntryFacts<GroupField> {
  /** Whether the object exists; an optional object may be absent. */
  isPresent: boolean;
  readonly children: readonly Entry[];
  /** Members that have no field. */
  readonly rest: { readonly [name: string]: unknown };
}

/** One of several entries. */
export interface UnionEntry extends EntryFacts<UnionField> {
  /** The index of that entry; −1 for none. */
  chosen: number;
  readonly alternatives: readonly Entry[];
}

/** The input of the user in a field. */
export type Entry =
  TypedEntry | FlagEntry | ChoiceEntry | ChoicesEntry | ListEntry | GroupEntry | UnionEntry;

/** The entries inside an entry that contribute to its value. */
export function innerOf(entry: Entry): readonly Entry[] {
  if ('items' in entry) return entry.items;
  if ('alternatives' in entry) return entry.alternatives.slice(entry.chosen, entry.chosen + 1);
  return 'children' in entry && entry.isPresent ? entry.children : [];
}

/** The maximum number of items of a list; a list with more is edited as JSON. */
export const MAX_ITEMS = 100;

/** Whether the user has entered nothing. */
export function isEmptyEntry(entry: Entry): boolean {
  if (entry.isNull) return false;
  if ('text' in entry) return entry.text === '';
  if ('items' in entry) return entry.items.length === 0;
  if ('children' in entry) return !entry.isPresent;
  if ('isOn' in entry) return false;
  return entry.chosen instanceof Set ? entry.chosen.size === 0 : entry.chosen < 0;
}

/**
 * The value of an entry; `undefined` if it is absent because an optional field is empty. For an invalid
 * entry, any value.
 */
export function valueOf(entry: Entry): unknown {
  if (entry.isNull) return null;
  if (isEmptyEntry(entry) && (!entry.field.isRequired || 'alternatives' in entry)) return undefined;
  if ('text' in entry) return typedValue(entry);
  if ('isOn' in entry) return entry.isOn;
  if ('alternatives' in entry) return valueOf(entry.alternatives[entry.chosen]!);
  if ('items' in entry) return entry.items.map(valueOf).filter((value) => value !== undefined);
  if ('children' in entry) return membersOf(entry);
  if ('options' in entry.field && entry.chosen instanceof Set)
    return chosenOf(entry as ChoicesEntry);
  return entry.field.options[entry.chosen as number]?.value;
}

function chosenOf({ field, chosen }: ChoicesEntry): unknown[] {
  return field.options.filter((_, index) => chosen.has(index)).map(({ value }) => value);
}

function membersOf({ children, rest }: GroupEntry): object {
  const members = children.map((child) => [child.field.name, valueOf(child)] as const);
  const present = members.filter(([, value]) => value !== undefined);
  // Each member becomes an own property, also `__proto__`.
  return Object.fromEntries([...present, ...Object.entries(rest)]);
}

function typedValue({ field, text }: TypedEntry): unknown {
  if (field.kind === 'number') return text === '' ? undefined : Number(text);
  if (field.kind === 'json') return parse(text);
  if (field.control !== 'date-time' || text === '') return text;
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const MAX_ITEMS_AT_FIRST = 10;

/** The part of a value that is edited as JSON, in UTF-16 code units. */
const MAX_JSON_LENGTH = 1_000_000;

/** The maximum number of controls of a value; a value that needs more is edited as JSON. */
const MAX_CONTROLS = 200;

/** The rest of {@link MAX_CONTROLS}, and the number of values that did not fit their field. */
interface Budget {
  left: number;
  misfits: number;
}

let lastId = 0;

/**
 * An entry for a field. A value that the field cannot show is edited as JSON, so that it is not
 * lost.
 *
 * @param value The value. Default: the initial value of the field.
 */
export function createEntry(field: Field, value?: unknown): Entry {
  return createWithin({ left: MAX_CONTROLS, misfits: 0 }, field, value);
}

function createWithin(budget: Budget, field: Field, value: unknown = initialOf(field)): Entry {
  lastId += 1;
  budget.left -= 1;
  const facts = { id: `mcp-field-${lastId}`, isNull: value === null && field.isNullable };
  const known = facts.isNull ? undefined : value;
  const own = entryOf(field, facts, known, budget);
  if (!own) budget.misfits += 1;
  return own ?? jsonEntry(field, facts, known);
}

/**
 * The initial value of a field. An optional value that is `null` by default is absent, so that the user can
 * type at once.
 */
function initialOf({ initial, isRequired }: Field): unknown {
  return initial === null && !isRequired ? undefined : initial;
}

type Start = { readonly id: string; isNull: boolean };

/** The entry, or `undefined` if the field cannot show the value. */
function entryOf(field: Field, facts: Start, value: unknown, budget: Budget): Entry | undefined {
  switch (field.kind) {
    case 'text':
      return typedEntry(field, facts, value === undefined ? '' : shownText(field, value));
    case 'number':
      return typedEntry(field, facts, value === undefined ? '' : numberText(value));
    case 'json':
      return jsonEntry(field, facts, value);
    case 'flag':
      if (value !== undefined && typeof value !== 'boolean') return undefined;
      return { ...facts, field, isOn: value === true };
    case 'choice':
      return choiceEntry(field, facts, value);
    case 'choices':
      return choicesEntry(field, facts, value);
    case 'list':
      return listEntry(field, facts, value, budget);
    case 'group':
      return groupEntry(field, facts, value, budget);
    case 'union':
      return unionEntry(field, facts, value, budget);
  }
}

function typedEntry(
  field: TextField | NumberField,
  facts: Start,
  text: string | undefined,
): TypedEntry | undefined {
  return text === undefined ? undefined : { ...facts, field, text, isCostly: isCostlyToEdit(text) };
}

function jsonEntry(field: Field, facts: Start, value: unknown): TypedEntry {
  const text = value === undefined ? '' : writeJson(value, MAX_JSON_LENGTH).text;
  return { ...facts, field: { ...field, kind: 'json' }, text, isCostly: isCostlyToEdit(text) };
}

function choiceEntry(field: ChoiceField, facts: Start, value: unknown): Entry | undefined {
  const nullAt = field.options.findIndex((option) => option.value === null);
  if (facts.isNull && nullAt >= 0) return { ...facts, isNull: false, field, chosen: nullAt };
  const only = field.options.length === 1 && field.isRequired ? 0 : -1;
  const chosen = value === undefined ? only : indexOf(field, value);
  return value !== undefined && chosen < 0 ? undefined : { ...facts, field, chosen };
}

function choicesEntry(field: ChoicesField, facts: Start, value: unknown): Entry | undefined {
  const values: unknown = value ?? [];
  if (!Array.isArray(values) || values.length > field.options.length) return undefined;
  const chosen = new Set(values.map((one) => indexOf(field, one)));
  if (chosen.has(-1) || chosen.size < values.length) return undefined;
  const order = [...field.options.keys()].toSorted(
    (a, b) => Number(chosen.has(b)) - Number(chosen.has(a)),
  );
  return { ...facts, field, chosen, order, chosenFirst: chosen.size };
}

function listEntry(
  field: ListField,
  facts: Start,
  value: unknown,
  budget: Budget,
): Entry | undefined {
  // A list that requires items starts with them.
  const least = field.isRequired
    ? Math.min(amountOf(field.own['minItems']) ?? 0, MAX_ITEMS_AT_FIRST)
    : 0;
  const values: unknown = value ?? Array.from({ length: least });
  if (!Array.isArray(values) || values.length > MAX_ITEMS) return undefined;
  const items: Entry[] = [];
  for (const one of values as unknown[]) {
    if (budget.left < 0) return undefined;
    items.push(createWithin(budget, field.item, one));
  }
  return { ...facts, field, items };
}

function groupEntry(
  field: GroupField,
  facts: Start,
  value: unknown,
  budget: Budget,
): Entry | undefined {
  const isPresent = field.isRequired || value !== undefined;
  const members: unknown = value ?? {};
  if (typeof members !== 'object' || members === null || Array.isArray(members)) return undefined;
  const all = new Map<string, unknown>(Object.entries(members));
  const children = field.children.map((child) => createWithin(budget, child, all.get(child.name)));
  const isMissing = field.children.some(({ name, isRequired }) => isRequired && !all.has(name));
  for (const { name } of field.children) all.delete(name);
  if (isMissing || all.size > 0) budget.misfits += 1;
  return { ...facts, field, isPresent, children, rest: Object.fromEntries(all) };
}

/**
 * The entry of a union. Without a value, it has the first alternative if it is required; with a value, the
 * first alternative whose fields show it.
 */
function unionEntry(
  field: UnionField,
  facts: Start,
  value: unknown,
  budget: Budget,
): Entry | undefined {
  const first = field.isRequired ? 0 : -1;
  const allows = (one: Field): boolean => {
    const tried = { left: budget.left, misfits: 0 };
    createWithin(tried, one, value);
    return tried.misfits === 0;
  };
  const chosen = value === undefined ? first : field.alternatives.findIndex(allows);
  if (value !== undefined && chosen < 0) return undefined;
  const alternatives = field.alternatives.map((one, index) =>
    createWithin(budget, one, index === chosen ? value : undefined),
  );
  return { ...facts, field, chosen, alternatives };
}

function indexOf({ options }: ChoiceField | ChoicesField, value: unknown): number {
  return options.findIndex((option) => option.value === value);
}

function numberText(value: unknown): string | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined;
}

/** A text as its control shows it; `undefined` for one that the control would change. */
function shownText({ control }: TextField, value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (control === 'date') return isDay(value) ? value : undefined;
  if (control === 'date-time') return localDateTime(value);
  if (control !== 'lines' && /[\r\n]/.test(value)) return undefined;
  return value.includes('\r') ? undefined : value;
}

/** Whether this is a day of the calendar, from the year 1 to 9999. The control shows no other one. */
function isDay(day: string): boolean {
  const time = /^(?!0000)\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(day) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

/** A moment (RFC 3339) in the time of the user, in the form of `<input type="datetime-local">`. */
function localDateTime(moment: string): string | undefined {
  const date = new Date(moment);
  // The control supports only milliseconds.
  if (Number.isNaN(date.getTime()) || /\.\d{4}/.test(moment)) return undefined;
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  // The first and the last day of all may have no local time, and the control shows no such year.
  if (Number.isNaN(local.getTime()) || !isDay(local.toISOString().slice(0, 10))) return undefined;
  return local.toISOString().replace(/(?::00)?\.000Z$|Z$/, '');
}
