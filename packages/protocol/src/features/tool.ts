import { omitUndefined } from '../wire/omit-undefined.js';
import type { Call } from '../calls/call.js';
import {
  inputSchema,
  issuesText,
  outputSchema,
  type InputOf,
  type JsonSchema,
  type OutputOf,
  type Schema,
  type SchemaSource,
} from '../schemas/index.js';
import type {
  CallToolResult,
  ContentBlock,
  Icon,
  Meta,
  ResourceLink,
  ToolAnnotations,
} from '../wire/types.js';
import type { InputRequiredResult } from '../wire/input-types.js';

/** What a tool answers with: a `CallToolResult` of which only what is needed has to be said. */
export interface ToolAnswer<Structured = unknown> {
  /** Fits the output schema. */
  structuredContent?: Structured;
  /** For the model. Default: `structuredContent` as JSON. */
  content?: ContentBlock[];
  /** The resources that the answer is about; they come last, where the connection takes links. */
  links?: ResourceLink[];
  /** Whether the tool failed; `content` says why. Default: false. */
  isError?: boolean;
  _meta?: Meta;
}

/** What `run` may give: a text for the model, an answer, or what the client has to answer first. */
export type ToolOutcome<Structured = unknown> =
  string | ToolAnswer<Structured> | InputRequiredResult;

/**
 * A tool, as it is defined once for all connections.
 *
 * @typeParam Input A JSON Schema (2020-12) or a Standard Schema of the arguments.
 * @typeParam Output The same for `structuredContent`.
 */
export interface ToolDefinition<
  Input extends SchemaSource = SchemaSource,
  Output extends SchemaSource = SchemaSource,
  Context = unknown,
> {
  name: string;
  title?: string;
  /** For the model: what it does, and when to use it. */
  description?: string;
  icons?: Icon[];
  /** Default: an object with any members. */
  input?: Input;
  /** Default: nothing is said of `structuredContent`. */
  output?: Output;
  /** Hints for the client, such as `readOnlyHint`. Default: none. */
  annotations?: ToolAnnotations;
  _meta?: Meta;
  /**
   * Marks a tool that changes something, and says what is about to happen, for the user who may be
   * asked before: `Delete the note "Shopping"?`
   */
  question?: (input: OutputOf<Input>, call: Call<Context>) => string | Promise<string>;
  /**
   * Does the work. What it throws: a `ToolError` becomes a result with `isError` and its message; a
   * `ProtocolError` is answered as that error; anything else is an internal error, of which the
   * client learns nothing more.
   */
  run: (
    input: OutputOf<Input>,
    call: Call<Context>,
  ) => ToolOutcome<InputOf<Output>> | Promise<ToolOutcome<InputOf<Output>>>;
}

/** A tool that can be added to a server. */
export interface Tool<Context = unknown> {
  readonly name: string;
  /** Its entry in `tools/list`. */
  readonly listed: ListedTool;
  /** Whether it says of itself that it changes nothing. */
  readonly isReadOnly: boolean;
  readonly input: Schema;
  readonly output: Schema | undefined;
  readonly question: ((input: never, call: Call<Context>) => string | Promise<string>) | undefined;
  readonly run: (input: never, call: Call<Context>) => ToolOutcome | Promise<ToolOutcome>;
}

/** An entry of `tools/list`. */
export interface ListedTool {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  icons?: Icon[] | undefined;
  inputSchema: JsonSchema;
  outputSchema?: JsonSchema | undefined;
  annotations?: ToolAnnotations | undefined;
  _meta?: Meta | undefined;
}

const ANYTHING = { type: 'object' } as const;

/**
 * Defines a tool. Types of its input and output are inferred from their schemas.
 *
 * @throws {TypeError} for a schema that states no JSON Schema, or whose input is no object.
 */
export function defineTool<
  const Input extends SchemaSource = typeof ANYTHING,
  const Output extends SchemaSource = SchemaSource,
  Context = unknown,
>(definition: ToolDefinition<Input, Output, Context>): Tool<Context> {
  const { name, title, description, icons, annotations, _meta, question, run } = definition;
  const input = inputSchema(definition.input ?? ANYTHING);
  const output = definition.output && outputSchema(definition.output);
  const said = { title, description, icons, annotations, _meta };
  return {
    name,
    listed: {
      name,
      ...omitUndefined(said),
      inputSchema: input.jsonSchema,
      ...(output && { outputSchema: output.jsonSchema }),
    },
    isReadOnly: annotations?.readOnlyHint === true,
    input,
    output,
    question,
    run,
  };
}

/** The result of a tool that failed, for the model to act on (Tools › Error Handling). */
export function failed(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

/** What a model reads of arguments that do not fit. */
export function misfitText(issues: Parameters<typeof issuesText>[0]): string {
  return `Invalid arguments: ${issuesText(issues)}`;
}
