interface Field {
  /** The label. Default: show the name of the field. */
  title?: string | undefined;
  /** Explains the field. */
  description?: string | undefined;
}

/** A value, and the title that the user sees. */
export interface Choice {
  /** The value that is sent. */
  const: string;
  /** The text that the user sees. */
  title: string;
}

/** A text, or, with `enum` or `oneOf`, one of several choices. */
export interface StringField extends Field {
  /** Distinguishes the fields. */
  type: 'string';
  /** The minimum length, in characters. Default: 0. */
  minLength?: number | undefined;
  /** The maximum length, in characters. Default: no limit. */
  maxLength?: number | undefined;
  /** A regular expression of JSON Schema. It may be slow: a server chooses it. */
  pattern?: string | undefined;
  /** The format of the text. */
  format?: 'email' | 'uri' | 'date' | 'date-time' | undefined;
  /** The choices, without titles. */
  enum?: string[] | undefined;
  /** Titles for `enum`, as in older revisions. */
  enumNames?: string[] | undefined;
  /** The choices, with titles. */
  oneOf?: Choice[] | undefined;
  /** The text that the form begins with. */
  default?: string | undefined;
}

/** A number. */
export interface NumberField extends Field {
  /** Distinguishes the fields. */
  type: 'number' | 'integer';
  /** The minimum value. */
  minimum?: number | undefined;
  /** The maximum value. */
  maximum?: number | undefined;
  /** The value that the form begins with. */
  default?: number | undefined;
}

/** A yes or no. */
export interface BooleanField extends Field {
  /** Distinguishes the fields. */
  type: 'boolean';
  /** The value that the form begins with. */
  default?: boolean | undefined;
}

/** Any number of choices. */
export interface ChoicesField extends Field {
  /** Distinguishes the fields. */
  type: 'array';
  /** The choices, without or with titles. */
  items: { type: 'string'; enum: string[] } | { anyOf: Choice[] };
  /** The minimum number of choices. Default: 0. */
  minItems?: number | undefined;
  /** The maximum number of choices. Default: all. */
  maxItems?: number | undefined;
  /** The choices that the form begins with. */
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
  /**
   * The user's decision: `decline` means no; `cancel` means no answer, for example if the user closed the
   * dialog.
   */
  action: 'accept' | 'decline' | 'cancel';
  /** The values of the form, by name; only with `accept`. */
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
