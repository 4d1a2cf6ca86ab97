import { isCostlyToEdit } from '../../base/look/costly-text.js';
import { writeJson } from '../../base/text/json-text.js';
import { schemaProblem } from '../schema/schema-problem.js';
import { MAX_ITEMS, type Entry, type TypedEntry } from './entry.js';
import type {
  ChoiceField,
  ChoicesField,
  Field,
  GroupField,
  ListField,
  NumberField,
  TextField,
  UnionField,
} from '../schema/field.js';

const MAX_ITEMS_AT_FIRST = 10;

/** How much of a value is edited as JSON, in UTF-16 code units. */
const MAX_JSON_LENGTH = 1_000_000;

/** How many controls a value may lead to; what needs more is edited as JSON. */
const MAX_CONTROLS = 200;

/** What is left of {@link MAX_CONTROLS}. */
interface Budget {
  left: number;
}

let lastId = 0;

/**
 * An entry for a field. A value that the field cannot show is edited as JSON, so that it is not
 * lost.
 *
 * @param value Default: the initial value of the field.
 */
export function createEntry(field: Field, value?: unknown): Entry {
  return createWithin({ left: MAX_CONTROLS }, field, value);
}

function createWithin(budget: Budget, field: Field, value: unknown = initialOf(field)): Entry {
  lastId += 1;
  budget.left -= 1;
  const facts = { id: `mcp-field-${lastId}`, isNull: value === null && field.isNullable };
  const known = facts.isNull ? undefined : value;
  return entryOf(field, facts, known, budget) ?? jsonEntry(field, facts, known);
}

/** An optional value that is `null` by default is absent: then the user can type at once. */
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
  return chosen.has(-1) || chosen.size < values.length ? undefined : { ...facts, field, chosen };
}

function listEntry(
  field: ListField,
  facts: Start,
  value: unknown,
  budget: Budget,
): Entry | undefined {
  // A list that must have items starts with them.
  const least = field.isRequired ? Math.min(field.minItems, MAX_ITEMS_AT_FIRST) : 0;
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
  for (const { name } of field.children) all.delete(name);
  return { ...facts, field, isPresent, children, rest: Object.fromEntries(all) };
}

/** The first alternative at first; that of a value is the first that allows it. */
function unionEntry(
  field: UnionField,
  facts: Start,
  value: unknown,
  budget: Budget,
): Entry | undefined {
  const first = field.isRequired ? 0 : -1;
  const allows = (one: Field): boolean => schemaProblem(value, one) === undefined;
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
  if (control === 'date') return /^\d{4}-\d\d-\d\d$/.test(value) ? value : undefined;
  if (control === 'date-time') return localDateTime(value);
  if (control !== 'lines' && /[\r\n]/.test(value)) return undefined;
  return value.includes('\r') ? undefined : value;
}

/** A moment (RFC 3339) in the time of the user, as `<input type="datetime-local">` has it. */
function localDateTime(moment: string): string | undefined {
  const date = new Date(moment);
  // The control has milliseconds only.
  if (Number.isNaN(date.getTime()) || /\.\d{4}/.test(moment)) return undefined;
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().replace(/(?::00)?\.000Z$|Z$/, '');
}
