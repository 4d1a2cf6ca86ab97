import type { Listed, Meta, PromptMessage } from '@inpage-mcp/protocol/types';
import type { Checked, ListPage } from './protocol-types.js';

/** An argument of a prompt. */
export interface PromptArgument {
  /** The name, which is unique among the arguments of the prompt. */
  name: string;
  /** The name for people. Default: `name` is shown. */
  title?: string | undefined;
  /** The description for people and the model. */
  description?: string | undefined;
  /** Whether the prompt needs it. Default: false. */
  required?: boolean | undefined;
}

/** An entry of `prompts/list`. */
export interface Prompt extends Listed {
  /** The arguments. Default: no arguments. */
  arguments?: PromptArgument[] | undefined;
}

/** The answer to `prompts/list`. */
export interface ListPromptsResult extends ListPage {
  /** The valid entries of the page. */
  prompts: Prompt[];
}

/** The answer to `prompts/get`. */
export interface GetPromptResult extends Checked {
  /** The description for people. */
  description?: string | undefined;
  /** The valid messages, in the order of the conversation. */
  messages: PromptMessage[];
  /** Further data. */
  _meta?: Meta | undefined;
}

/** A prompt whose argument is completed. */
export interface PromptReference {
  /** Distinguishes it from a template. */
  type: 'ref/prompt';
  /** The name of the prompt. */
  name: string;
}

/** A resource template whose variable is completed. */
export interface ResourceTemplateReference {
  /** Distinguishes it from a prompt. */
  type: 'ref/resource';
  /** The template itself, such as `note:///{id}`. */
  uri: string;
}

/** The argument, and the text that the user has typed so far. */
export interface CompleteArgument {
  /** The name of the argument or variable. */
  name: string;
  /** The text that the user has typed so far. */
  value: string;
}

/** The result of `completion/complete` (Utilities › Completion). */
export interface CompleteResult {
  /** The suggestions. */
  completion: {
    /** The values, the best first; at most 100. */
    values: string[];
    /** The number of all matching values, if the server reports it. */
    total?: number | undefined;
    /** Whether more values exist than in `values`. */
    hasMore?: boolean | undefined;
  };
  /** Further data. */
  _meta?: Meta | undefined;
}
