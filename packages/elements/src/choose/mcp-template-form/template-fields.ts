import type { CompletedField } from '../../fields/options/completed-field.js';
import { expandTemplate, type Part, type Value } from './uri-template.js';

/** The texts that the user has typed, by variable. */
export type TypedValues = { readonly [name: string]: string };

/**
 * A field for each variable, each name once. A variable of `{var}` and `{+var}` is required: without
 * it, the uri would have a hole. A variable with `*` takes a list.
 */
export function fieldsOf(parts: readonly Part[]): readonly CompletedField[] {
  const fields = new Map<string, CompletedField>();
  for (const part of parts) {
    if (typeof part === 'string') continue;
    const isRequired = part.operator === '' || part.operator === '+';
    for (const { name, isExploded, maxLength } of part.variables) {
      const before = fields.get(name);
      fields.set(name, {
        name,
        label: labelOf(name),
        isRequired: isRequired || before?.isRequired === true,
        isList: isExploded && before?.isList !== false,
        maxLength: before ? longest(before.maxLength, maxLength) : maxLength,
      });
    }
  }
  return [...fields.values()];
}

/** The uri; a variable without a text is not defined. */
export function uriOf(
  parts: readonly Part[],
  fields: readonly CompletedField[],
  typed: TypedValues,
): string {
  const lists = new Set(fields.flatMap(({ name, isList }) => (isList ? name : [])));
  return expandTemplate(parts, (name) => valueOf(textIn(typed, name), lists.has(name)));
}

/** What is typed for a variable. */
export function textIn(typed: TypedValues, name: string): string {
  return Object.hasOwn(typed, name) ? typed[name]! : '';
}

/** The names of the required variables without a text. */
export function missingIn(
  fields: readonly CompletedField[],
  typed: TypedValues,
): readonly string[] {
  return fields
    .filter(({ name, isRequired }) => isRequired && textIn(typed, name).trim() === '')
    .map(({ name }) => name);
}

/** A variable that is whole in one place is not limited by another. */
function longest(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : Math.max(one, other);
}

function valueOf(text: string, isList: boolean): Value {
  if (!isList) return text === '' ? undefined : text;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.length === 0 ? undefined : lines;
}

function labelOf(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
