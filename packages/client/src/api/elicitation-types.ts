interface Field {
  title?: string | undefined;
  description?: string | undefined;
}

/** A value, and the title that the user sees. */
export interface Choice {
  const: string;
  title: string;
}

/** A text, or, with `enum` or `oneOf`, one of several choices. */
export interface StringField extends Field {
  type: 'string';
  minLength?: number | undefined;
  maxLength?: number | undefined;
  pattern?: string | undefined;
  format?: 'email' | 'uri' | 'date' | 'date-time' | undefined;
  enum?: string[] | undefined;
  /** Titles for `enum`, as in older revisions. */
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
  /** Show this as plain text, and show which server is asking. */
  message: string;
  /** The form: a flat JSON Schema. Without properties, the answer is yes or no. */
  requestedSchema: {
    type: 'object';
    properties: { [name: string]: StringField | NumberField | BooleanField | ChoicesField };
    required?: string[] | undefined;
    [keyword: string]: unknown;
  };
}

/** The user's answer. */
export interface ElicitResult {
  /** `decline` means no; `cancel` means no answer, for example if the user closed the dialog. */
  action: 'accept' | 'decline' | 'cancel';
  /** With `accept`: the values of the form, by name. */
  content?: { [name: string]: string | number | boolean | string[] } | undefined;
}

/**
 * Asks the user. An error counts as `cancel`.
 *
 * @param context.signal Aborts when the call of the question has ended. The answer is then ignored,
 *   and the dialog should be closed.
 */
export type Elicit = (
  request: ElicitRequest,
  context: { signal: AbortSignal },
) => ElicitResult | Promise<ElicitResult>;
