import type { ContentBlock, Meta } from './types.js';

/** A form for the user (Client › Elicitation, form mode). */
export interface ElicitFormParams {
  /** The mode. Default: `form`. */
  mode?: 'form' | undefined;
  /** The question, as plain text. */
  message: string;
  /** The schema of the form: a flat JSON Schema. Without properties the user can only accept or decline. */
  requestedSchema: {
    type: 'object';
    properties: { [name: string]: object };
    required?: string[] | undefined;
    [keyword: string]: unknown;
  };
}

/** A URL for the user to open (Client › Elicitation, URL mode). */
export interface ElicitUrlParams {
  /** The mode, which distinguishes it from a form. */
  mode: 'url';
  /** The reason why the user should open the URL, as plain text. */
  message: string;
  /** The URL, which the user must see before it is opened. */
  url: string;
  /** The id of the question, up to 2025-11-25; the server sets it if it is missing. */
  elicitationId?: string | undefined;
}

/** A question to the user. */
export type ElicitParams = ElicitFormParams | ElicitUrlParams;

/** The user's answer. */
export interface ElicitResult {
  /**
   * The decision. `decline` means no; `cancel` means that the user did not answer, for example because the
   * dialog was closed.
   */
  action: 'accept' | 'decline' | 'cancel';
  /** The values of the form by name, with `accept`. */
  content?: { [name: string]: string | number | boolean | string[] } | undefined;
  /** Further data. */
  _meta?: Meta | undefined;
}

/** A question to the model of the client (Client › Sampling). */
export interface SampleParams {
  /** The conversation so far. */
  messages: { role: 'user' | 'assistant'; content: ContentBlock | ContentBlock[] | object }[];
  /** The maximum length of the answer. */
  maxTokens: number;
  [param: string]: unknown;
}

/** The answer of the client's model. */
export interface SampleResult {
  /** The role of the speaker; usually `assistant`. */
  role: 'user' | 'assistant';
  /** The answer. */
  content: ContentBlock | ContentBlock[];
  /** The name of the model. */
  model: string;
  /** The reason why the answer ends here, such as `endTurn` or `maxTokens`. */
  stopReason?: string | undefined;
  [member: string]: unknown;
}

/** The folders of the client (Client › Roots). */
export interface ListRootsResult {
  /** The folders, as `file:` URIs. */
  roots: { uri: string; name?: string | undefined; _meta?: Meta | undefined }[];
  [member: string]: unknown;
}

/** One question to the client that a call needs answered. */
export type InputRequest =
  | { method: 'elicitation/create'; params: ElicitParams }
  | { method: 'sampling/createMessage'; params: SampleParams }
  | { method: 'roots/list'; params?: object | undefined };

/** The answer to an {@link InputRequest}, as the client has sent it. */
export type InputResponse = ElicitResult | SampleResult | ListRootsResult;

/** The answers by the keys of their requests. */
export interface InputResponses {
  [key: string]: InputResponse;
}

/** A message that is sent instead of a result: the client answers, and sends the request again (2026-07-28). */
export interface InputRequiredResult {
  /** Distinguishes it from a complete result. */
  resultType: 'input_required';
  /** The questions, by keys of the server. Default: none; the client then only retries. */
  inputRequests?: { [key: string]: InputRequest } | undefined;
  /** The state, which the client sends back with the answers, but could change. */
  requestState?: string | undefined;
}
