import { msg } from '@lit/localize';
import { writeJson } from '../../base/text/json-text.js';
import type { Field, Option } from './field.js';
import { entriesOf, schemaOf, textOf, type Schema } from './plain-schema.js';

/** The maximum number of values of a choice that is shown. */
const MAX_OPTIONS = 500;

/**
 * The values of a schema that lists them, by `enum` (with titles in `enumNames`), by `oneOf` or
 * `anyOf` of `const` and `title`, or by `const`; `undefined` for any other schema, and for a list
 * that is too long.
 */
export function optionsOf(schema: Schema): readonly Option[] | undefined {
  if (Object.hasOwn(schema, 'const')) return checked([optionOf(schema['const'], undefined)]);
  const { enum: values, enumNames, oneOf, anyOf } = schema;
  if (Array.isArray(values)) {
    const names = entriesOf(enumNames, MAX_OPTIONS);
    const all = entriesOf(values, MAX_OPTIONS + 1);
    return checked(all.map((value, index) => optionOf(value, names[index])));
  }
  return titledOptions(oneOf) ?? titledOptions(anyOf);
}

function titledOptions(list: unknown): readonly Option[] | undefined {
  const all = entriesOf(list, MAX_OPTIONS + 1).map(schemaOf);
  if (all.length === 0 || !all.every((one) => Object.hasOwn(one, 'const'))) return undefined;
  return checked(all.map((one) => optionOf(one['const'], one['title'])));
}

function checked(options: readonly Option[]): readonly Option[] | undefined {
  const isRight = options.length > 0 && options.length <= MAX_OPTIONS && options.every(isShown);
  return isRight ? options : undefined;
}

function isShown({ value }: Option): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function optionOf(value: unknown, title: unknown): Option {
  return { value, title: textOf(title, 100) || titleOf(value) };
}

function titleOf(value: unknown): string {
  if (value === null) return msg('No value (null)', { id: 'mcp.field.null' });
  if (value === '') return msg('Empty text', { id: 'mcp.field.empty-text' });
  return textOf(typeof value === 'string' ? value : writeJson(value, 100).text, 100);
}

/** The maximum number of field names that represent an object without a title. */
const MAX_NAMES = 3;

/** The name of one of several schemas: its title, the only value that it can have, or its kind of value. */
export function alternativeTitle(field: Field): string {
  if (field.title) return field.title;
  switch (field.kind) {
    case 'text':
      return msg('Text', { id: 'mcp.field.kind-text' });
    case 'number':
      return msg('Number', { id: 'mcp.field.kind-number' });
    case 'list':
    case 'choices':
      return msg('List', { id: 'mcp.field.kind-list' });
    case 'flag':
      return titlesOf(flagOptions());
    case 'choice':
      return titlesOf(field.options);
    case 'group':
      return (
        titlesOf(field.children.flatMap((one) => fixedOption(one) ?? [])) ||
        titlesOf(field.children)
      );
    default:
      return msg('Value', { id: 'mcp.field.value' });
  }
}

/** The only value that a field can have, such as the one that distinguishes an object from others. */
function fixedOption(field: Field): Option | undefined {
  return field.kind === 'choice' && field.options.length === 1 ? field.options[0] : undefined;
}

function titlesOf(all: readonly { title: string }[]): string {
  const titles = all.slice(0, MAX_NAMES).map(({ title }) => title);
  return `${titles.join(', ')}${all.length > MAX_NAMES ? ', …' : ''}`;
}

/** The values of a boolean. */
export function flagOptions(): readonly Option[] {
  return [
    { value: true, title: msg('Yes', { id: 'mcp.field.yes' }) },
    { value: false, title: msg('No', { id: 'mcp.field.no' }) },
  ];
}
