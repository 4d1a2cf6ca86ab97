import type { ChoicesEntry, Entry, GroupEntry, TypedEntry } from './entry.js';

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
