import type { Schema } from './plain-schema.js';

/** The facts that all fields of a form have. */
interface FieldFacts {
  /** The name of the property; the label of an item of a list. */
  readonly name: string;
  /** The title, for people; the name if the schema has no title. */
  readonly title: string;
  /** The description, for people; empty if the schema has none. */
  readonly description: string;
  readonly isRequired: boolean;
  /** Whether the value may be `null`. */
  readonly isNullable: boolean;
  /** The initial value: the `default` of the schema. */
  readonly initial: unknown;
  /** The schema of the value, as the server has it. */
  readonly schema: unknown;
  /** The same schema without indirection, and without `null`. */
  readonly own: Schema;
}

/** The control for a text. */
export type TextControl = 'line' | 'lines' | 'email' | 'url' | 'date' | 'date-time';

/** A string. */
export interface TextField extends FieldFacts {
  readonly kind: 'text';
  readonly control: TextControl;
}

/** A number, or an integer. */
export interface NumberField extends FieldFacts {
  readonly kind: 'number';
}

/** A boolean that always has a value. */
export interface FlagField extends FieldFacts {
  readonly kind: 'flag';
}

/** One value of a choice, with its title. */
export interface Option {
  readonly value: unknown;
  readonly title: string;
}

/** A choice of one value; also a boolean that may be absent. */
export interface ChoiceField extends FieldFacts {
  readonly kind: 'choice';
  readonly options: readonly Option[];
}

/** A choice of several different values, as an array. */
export interface ChoicesField extends FieldFacts {
  readonly kind: 'choices';
  readonly options: readonly Option[];
}

/** An array of any other values. */
export interface ListField extends FieldFacts {
  readonly kind: 'list';
  readonly item: Field;
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
