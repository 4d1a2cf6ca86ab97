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

/** What all entries have. */
interface EntryFacts<OwnField extends Field> {
  /** Unique in the document: the id of the control, too. */
  readonly id: string;
  readonly field: OwnField;
  /** Whether the user has chosen `null`. */
  isNull: boolean;
  /** The title of an item of a list, with its place in the list. */
  label?: string;
}

/** A text as it is in its control; of a number and of JSON, too. */
export interface TypedEntry extends EntryFacts<TextField | NumberField | JsonField> {
  text: string;
  /** Whether the text that it begins with takes long to show in a control, and is not shown yet. */
  isCostly?: boolean;
  /** Of JSON, whether the user looks at its schema. */
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
}

/** Any number of entries. */
export interface ListEntry extends EntryFacts<ListField> {
  items: readonly Entry[];
}

/** An entry for each property. */
export interface GroupEntry extends EntryFacts<GroupField> {
  /** Whether the object is there; an optional object need not be. */
  isPresent: boolean;
  readonly children: readonly Entry[];
  /** Members for which there is no field. */
  readonly rest: { readonly [name: string]: unknown };
}

/** One of several entries. */
export interface UnionEntry extends EntryFacts<UnionField> {
  /** The index of that entry; −1 for none. */
  chosen: number;
  readonly alternatives: readonly Entry[];
}

/** What the user has entered in a field. */
export type Entry =
  TypedEntry | FlagEntry | ChoiceEntry | ChoicesEntry | ListEntry | GroupEntry | UnionEntry;

/** The entries in an entry that have a part in its value. */
export function innerOf(entry: Entry): readonly Entry[] {
  if ('items' in entry) return entry.items;
  if ('alternatives' in entry) return entry.alternatives.slice(entry.chosen, entry.chosen + 1);
  return 'children' in entry && entry.isPresent ? entry.children : [];
}

/** A list of more items is edited as JSON. */
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
 * The value of an entry; `undefined` where it is absent: an optional field that is empty. Of an
 * invalid entry, any value.
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
  // An own property of any name, also of `__proto__`.
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
