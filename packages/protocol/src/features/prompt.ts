import { omitUndefined } from '../wire/omit-undefined.js';
import type { Call } from '../calls/call.js';
import type { InputRequiredResult } from '../wire/input-types.js';
import type { GetPromptResult, Icon, Meta } from '../wire/types.js';
import { plainDefinition } from './definition.js';

/** Suggestions for the text typed so far. */
export interface Completion {
  /** The values, the best first; only the first 100 are sent. */
  values: readonly string[];
  /** The number of all values, including those that are not in `values`. */
  total: number;
}

/** One argument of a prompt, which is always a string (Prompts › Prompt). */
export interface PromptArgument<Context = unknown> {
  /** The title, for people. Default: the name is shown. */
  title?: string | undefined;
  /** The description, for people and the model. Default: none. */
  description?: string | undefined;
  /** Whether the argument is required. Default: false. */
  required?: boolean | undefined;
  /** The minimum length, in UTF-16 code units. Default: 0. */
  minLength?: number | undefined;
  /** The maximum length, in UTF-16 code units. Default: no limit. */
  maxLength?: number | undefined;
  /**
   * Suggests values for the text typed so far (Utilities › Completion). Default: no suggestions.
   *
   * @param chosen The other arguments that are already chosen.
   */
  complete?:
    | ((
        typed: string,
        chosen: { readonly [name: string]: string },
        call: Call<Context>,
      ) => readonly string[] | Completion | Promise<readonly string[] | Completion>)
    | undefined;
}

interface PromptArguments<Context> {
  readonly [name: string]: PromptArgument<Context>;
}

/** The types of the arguments with which a prompt runs. */
export type PromptValues<Arguments> = {
  [Name in keyof Arguments as Arguments[Name] extends { required: true } ? Name : never]: string;
} & {
  [Name in keyof Arguments as Arguments[Name] extends { required: true } ? never : Name]?: string;
};

/** The definition of a prompt, for all connections. */
export interface PromptDefinition<Arguments, Context = unknown> {
  /** The name, unique among the prompts of a server, such as `summarize_note`. */
  name: string;
  /** The title, for people. Default: the name is shown. */
  title?: string | undefined;
  /** The description, for people and the model. Default: none. */
  description?: string | undefined;
  /** The icons. Default: none. */
  icons?: Icon[] | undefined;
  /** The arguments, in the order of the list. Default: none. */
  arguments?: Arguments | undefined;
  /** Further data for the client, in `prompts/list`. Default: none. */
  _meta?: Meta | undefined;
  /**
   * Makes the messages. If it throws a `ProtocolError`, the call is answered as that error; any
   * other error is answered as an internal error.
   */
  run: (
    values: PromptValues<Arguments>,
    call: Call<Context>,
  ) => GetPromptResult | InputRequiredResult | Promise<GetPromptResult | InputRequiredResult>;
}

/** A prompt that can be added to a server. */
export interface Prompt<Context = unknown> {
  /** The name, unique among the prompts of a server. */
  readonly name: string;
  /** The entry of the prompt in `prompts/list`. */
  readonly listed: ListedPrompt;
  /** The arguments of the prompt, by name. */
  readonly arguments: PromptArguments<Context>;
  /** Creates the messages: see {@link PromptDefinition.run}. */
  readonly run: (
    values: never,
    call: Call<Context>,
  ) => GetPromptResult | InputRequiredResult | Promise<GetPromptResult | InputRequiredResult>;
}

/** An entry of `prompts/list`. */
export interface ListedPrompt {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  icons?: Icon[] | undefined;
  arguments?: { name: string; title?: string; description?: string; required?: boolean }[];
  _meta?: Meta | undefined;
}

/**
 * Defines a prompt. The types of its arguments are inferred.
 *
 * @throws {TypeError} if anything in it cannot be sent, such as a function in its `_meta`.
 */
export function definePrompt<
  const Arguments extends PromptArguments<Context> = {},
  Context = unknown,
>(
  definition: PromptDefinition<Arguments, Context> & { arguments?: PromptArguments<Context> },
): Prompt<Context> {
  const { name, title, description, icons, _meta, run } = definition;
  const known: PromptArguments<Context> = definition.arguments ?? {};
  const entries = Object.entries(known).map(([argument, { required = false, ...info }]) => ({
    name: argument,
    ...omitUndefined({ title: info.title, description: info.description }),
    required,
  }));
  return {
    name,
    listed: plainDefinition(
      {
        name,
        ...omitUndefined({ title, description, icons, _meta }),
        ...(entries.length > 0 && { arguments: entries }),
      },
      `The prompt ${name}`,
    ),
    arguments: known,
    run,
  };
}
