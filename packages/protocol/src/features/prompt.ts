import { omitUndefined } from '../wire/omit-undefined.js';
import type { Call } from '../calls/call.js';
import type { InputRequiredResult } from '../wire/input-types.js';
import type { GetPromptResult, Icon, Meta } from '../wire/types.js';

/** What could be meant by what is typed so far. */
export interface Completion {
  /** The best first; only the first 100 are sent. */
  values: readonly string[];
  /** How many there are in all, those that are not in `values` included. */
  total: number;
}

/** One argument of a prompt, which is always a text (Prompts › Prompt). */
export interface PromptArgument<Context = unknown> {
  title?: string;
  description?: string;
  /** Default: it may be left out. */
  required?: boolean;
  /** The shortest that it may be, in UTF-16 code units. Default: 0. */
  minLength?: number;
  /** The longest that it may be, in UTF-16 code units. Default: no limit. */
  maxLength?: number;
  /**
   * What could be meant by what is typed so far (Utilities › Completion). Default: nothing is known.
   *
   * @param chosen The other arguments, as far as they are chosen.
   */
  complete?(
    typed: string,
    chosen: { readonly [name: string]: string },
    call: Call<Context>,
  ): readonly string[] | Completion | Promise<readonly string[] | Completion>;
}

interface PromptArguments<Context> {
  readonly [name: string]: PromptArgument<Context>;
}

/** What the arguments of a prompt are when it runs. */
export type PromptValues<Arguments> = {
  [Name in keyof Arguments as Arguments[Name] extends { required: true } ? Name : never]: string;
} & {
  [Name in keyof Arguments as Arguments[Name] extends { required: true } ? never : Name]?: string;
};

/** A prompt, as it is defined once for all connections. */
export interface PromptDefinition<Arguments, Context = unknown> {
  name: string;
  title?: string;
  description?: string;
  icons?: Icon[];
  /** In the order in which they are listed. Default: none. */
  arguments?: Arguments;
  _meta?: Meta;
  /** Makes the messages. What it throws is answered as the errors of tools are. */
  run: (
    values: PromptValues<Arguments>,
    call: Call<Context>,
  ) => GetPromptResult | InputRequiredResult | Promise<GetPromptResult | InputRequiredResult>;
}

/** A prompt that can be added to a server. */
export interface Prompt<Context = unknown> {
  readonly name: string;
  /** Its entry in `prompts/list`. */
  readonly listed: ListedPrompt;
  readonly arguments: PromptArguments<Context>;
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

/** Defines a prompt. Types of its arguments are inferred. */
export function definePrompt<
  const Arguments extends PromptArguments<Context> = {},
  Context = unknown,
>(
  definition: PromptDefinition<Arguments, Context> & { arguments?: PromptArguments<Context> },
): Prompt<Context> {
  const { name, title, description, icons, _meta, run } = definition;
  const known: PromptArguments<Context> = definition.arguments ?? {};
  const entries = Object.entries(known).map(([argument, { required = false, ...said }]) => ({
    name: argument,
    ...omitUndefined({ title: said.title, description: said.description }),
    required,
  }));
  return {
    name,
    listed: {
      name,
      ...omitUndefined({ title, description, icons, _meta }),
      ...(entries.length > 0 && { arguments: entries }),
    },
    arguments: known,
    run,
  };
}
