interface Field {
  title?: string | undefined;
  description?: string | undefined;
}

/** A value, and what people are shown for it. */
export interface Choice {
  const: string;
  title: string;
}

/** A text, or one choice of several: then it has `enum` or `oneOf`. */
export interface StringField extends Field {
  type: 'string';
  minLength?: number | undefined;
  maxLength?: number | undefined;
  pattern?: string | undefined;
  format?: 'email' | 'uri' | 'date' | 'date-time' | undefined;
  enum?: string[] | undefined;
  /** Titles for `enum`, in the way of older revisions. */
  enumNames?: string[] | undefined;
  oneOf?: Choice[] | undefined;
  default?: string | undefined;
}

export interface NumberField extends Field {
  type: 'number' | 'integer';
  minimum?: number | undefined;
  maximum?: number | undefined;
  default?: number | undefined;
}

export interface BooleanField extends Field {
  type: 'boolean';
  default?: boolean | undefined;
}

/** Any number of choices. */
export interface ChoicesField extends Field {
  type: 'array';
  items: { type: 'string'; enum: string[] } | { anyOf: Choice[] };
  minItems?: number | undefined;
  maxItems?: number | undefined;
  default?: string[] | undefined;
}

/** A question of the server to the user (Client › Elicitation, form mode). */
export interface ElicitRequest {
  /** Show it as plain text, and make clear which server is asking. */
  message: string;
  /** The form: a flat JSON Schema. Without properties the question is a mere yes or no. */
  requestedSchema: {
    type: 'object';
    properties: { [name: string]: StringField | NumberField | BooleanField | ChoicesField };
    required?: string[] | undefined;
    [keyword: string]: unknown;
  };
}

/** The user's answer. */
export interface ElicitResult {
  /** `decline` is a no; `cancel` is no answer, such as a closed dialog. */
  action: 'accept' | 'decline' | 'cancel';
  /** With `accept`: the values of the form, by name. */
  content?: { [name: string]: string | number | boolean | string[] } | undefined;
}

/**
 * Asks the user. Throwing counts as `cancel`.
 *
 * @param context.signal Aborts when the call that the question belongs to has ended: the answer is
 *   then ignored, and the dialog better closed.
 */
export type Elicit = (
  request: ElicitRequest,
  context: { signal: AbortSignal },
) => ElicitResult | Promise<ElicitResult>;
