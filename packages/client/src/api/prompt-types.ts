import type { Listed, Meta, PromptMessage } from '@inpage-mcp/protocol/types';
import type { Checked, ListPage } from './protocol-types.js';

export interface PromptArgument {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  required?: boolean | undefined;
}

/** An entry of `prompts/list`. */
export interface Prompt extends Listed {
  arguments?: PromptArgument[] | undefined;
}

export interface ListPromptsResult extends ListPage {
  prompts: Prompt[];
}

export interface GetPromptResult extends Checked {
  description?: string | undefined;
  messages: PromptMessage[];
  _meta?: Meta | undefined;
}

/** A prompt whose argument is completed. */
export interface PromptReference {
  type: 'ref/prompt';
  name: string;
}

/** A resource template whose variable is completed. */
export interface ResourceTemplateReference {
  type: 'ref/resource';
  /** The template itself, such as `note:///{id}`. */
  uri: string;
}

/** The argument, and the text that the user has typed so far. */
export interface CompleteArgument {
  name: string;
  value: string;
}

/** The result of `completion/complete` (Utilities › Completion). */
export interface CompleteResult {
  completion: {
    /** The best first; at most 100. */
    values: string[];
    /** The number of all matching values, if the server reports it. */
    total?: number | undefined;
    /** Whether more values exist than in `values`. */
    hasMore?: boolean | undefined;
  };
  _meta?: Meta | undefined;
}
