import { amountOf, numberOf, type Schema } from './plain-schema.js';

/** How long a text may be, and what it looks like. */
export interface TextBounds {
  /** In characters (Unicode code points), as in JSON Schema. */
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  /** A regular expression, not anchored; as the schema has it. */
  readonly pattern: string | undefined;
}

/** The bounds of a number. */
export interface NumberBounds {
  readonly isInteger: boolean;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly above: number | undefined;
  readonly below: number | undefined;
  readonly multipleOf: number | undefined;
}

/** How many entries an array has. */
export interface AmountBounds {
  readonly minItems: number;
  readonly maxItems: number | undefined;
}

/** The facts that all fields of a form have. */
interface FieldFacts {
  /** The name of the property; the label of an item of a list. */
  readonly name: string;
  /** For people; the name if the schema has no title. */
  readonly title: string;
  /** For people; empty if the schema has none. */
  readonly description: string;
  readonly isRequired: boolean;
  /** Whether the value may be `null`. */
  readonly isNullable: boolean;
  /** The value at first: the `default` of the schema. */
  readonly initial: unknown;
  /** The schema of the value, as the server has it, and the document that it is a part of. */
  readonly schema: unknown;
  readonly root: unknown;
}

/** The control for a text. */
export type TextControl = 'line' | 'lines' | 'email' | 'url' | 'date' | 'date-time';

/** A string. */
export interface TextField extends FieldFacts, TextBounds {
  readonly kind: 'text';
  readonly control: TextControl;
}

/** A number, or an integer. */
export interface NumberField extends FieldFacts, NumberBounds {
  readonly kind: 'number';
}

/** A boolean that always has a value. */
export interface FlagField extends FieldFacts {
  readonly kind: 'flag';
}

/** One value of a choice. */
export interface Option {
  readonly value: unknown;
  readonly title: string;
}

/** One of several values; also a boolean that may be absent. */
export interface ChoiceField extends FieldFacts {
  readonly kind: 'choice';
  readonly options: readonly Option[];
}

/** An array of different values of several. */
export interface ChoicesField extends FieldFacts, AmountBounds {
  readonly kind: 'choices';
  readonly options: readonly Option[];
}

/** An array of any other values. */
export interface ListField extends FieldFacts, AmountBounds {
  readonly kind: 'list';
  readonly item: Field;
  readonly isUnique: boolean;
}

/** An object. */
export interface GroupField extends FieldFacts {
  readonly kind: 'group';
  readonly children: readonly Field[];
}

/** A value of one of several schemas: the user chooses which. */
export interface UnionField extends FieldFacts {
  readonly kind: 'union';
  readonly alternatives: readonly Field[];
}

/** A value of any other schema: the user writes JSON. */
export interface JsonField extends FieldFacts {
  readonly kind: 'json';
}

/** A part of a form, made from a JSON Schema. */
export type Field =
  | TextField
  | NumberField
  | FlagField
  | ChoiceField
  | ChoicesField
  | ListField
  | GroupField
  | UnionField
  | JsonField;

/** The bounds of a string in a schema. */
export function textBoundsOf({ minLength, maxLength, pattern }: Schema): TextBounds {
  return {
    minLength: amountOf(minLength),
    maxLength: amountOf(maxLength),
    pattern: typeof pattern === 'string' && pattern !== '' ? pattern : undefined,
  };
}

/** The bounds of a number in a schema. */
export function numberBoundsOf(schema: Schema): NumberBounds {
  const { type, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const step = numberOf(multipleOf) ?? 0;
  return {
    isInteger: type === 'integer',
    minimum: numberOf(minimum),
    maximum: numberOf(maximum),
    above: numberOf(exclusiveMinimum),
    below: numberOf(exclusiveMaximum),
    multipleOf: step > 0 ? step : undefined,
  };
}

/** The bounds of the length of an array in a schema. */
export function amountBoundsOf({ minItems, maxItems }: Schema): AmountBounds {
  return { minItems: amountOf(minItems) ?? 0, maxItems: amountOf(maxItems) };
}
