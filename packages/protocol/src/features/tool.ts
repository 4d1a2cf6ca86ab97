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
import { plainDefinition } from './definition.js';
import type { InputRequiredResult } from '../wire/input-types.js';

/** The kinds of callers of a tool: the app, or the model. */
export type ToolVisibility = 'app' | 'model';

/** The answer of a tool: a `CallToolResult` in which every member is optional. */
export interface ToolAnswer<Structured = unknown> {
  /** The structured result, which must be valid for the output schema. */
  structuredContent?: Structured | undefined;
  /** The content, for the model. Default: `structuredContent` as JSON. */
  content?: ContentBlock[] | undefined;
  /**
   * Resources that belong to the answer. They are added to the end of `content`, if the connection
   * takes links.
   */
  links?: ResourceLink[] | undefined;
  /** Whether the tool failed; `content` then has the reason. Default: false. */
  isError?: boolean | undefined;
  /** Further data for the client. Default: none. */
  _meta?: Meta | undefined;
}

/**
 * The values that `run` may return: an answer, a question to the client, or, if the tool has no output
 * schema, a text for the model.
 */
export type ToolOutcome<Structured = unknown> =
  (unknown extends Structured ? string : never) | ToolAnswer<Structured> | InputRequiredResult;

/**
 * The definition of a tool, for all connections.
 *
 * @typeParam Input A JSON Schema (2020-12) or a Standard Schema of the arguments.
 * @typeParam Output A schema of `structuredContent`, in the same forms.
 */
export interface ToolDefinition<
  Input extends SchemaSource = SchemaSource,
  Output extends SchemaSource = SchemaSource,
  Context = unknown,
> {
  /** The name, unique among the tools of a server, such as `search_notes`. */
  name: string;
  /** The title, for people. Default: the name is shown. */
  title?: string | undefined;
  /** The description, for the model: the effect of the tool, and when to use it. */
  description?: string | undefined;
  /** The icons. Default: none. */
  icons?: Icon[] | undefined;
  /** The schema of the arguments. Default: an object with any members. */
  input?: Input | undefined;
  /**
   * The schema of `structuredContent`. With a plain schema, members that it does not name are left out,
   * unless `additionalProperties` or a similar keyword allows others. Default: none.
   */
  output?: Output | undefined;
  /** Hints for the client, such as `readOnlyHint`. Default: none. */
  annotations?: ToolAnnotations | undefined;
  /** Further data for the client, in `tools/list`. Default: none. */
  _meta?: Meta | undefined;
  /**
   * The uri of the app that shows the results of the tool, for clients that show apps (MCP Apps › Resource
   * Discovery); see `addApp`. All other clients get the same content without it. Default: none.
   */
  app?: string | undefined;
  /**
   * The callers for which the tool is meant (MCP Apps › Visibility). A tool only for apps does not exist for
   * clients that show no apps. This is a matter of presentation, because a host may let an app call a tool
   * that is for the model. Default: both.
   */
  visibility?: ToolVisibility[] | undefined;
  /**
   * Marks a tool that changes something. Returns the question that the user may be asked before it
   * runs: `Delete the note "Shopping"?` If nothing is left to do, it returns the answer, and the
   * tool does not run.
   */
  question?: ((input: OutputOf<Input>, call: Call<Context>) => Asked<InputOf<Output>>) | undefined;
  /**
   * Whether a call may scan all stored data: of each holder, only a few of these run at a time.
   * Default: no call does.
   *
   * @param args The arguments, before they are checked.
   */
  isHeavy?: ((args: { readonly [name: string]: unknown }) => boolean) | undefined;
  /**
   * Does the work. If it throws a `ToolError`, the result has `isError` and its message; a
   * `ProtocolError` is answered as that error; any other error is an internal error, without
   * details for the client.
   */
  run: (
    input: OutputOf<Input>,
    call: Call<Context>,
  ) => ToolOutcome<InputOf<Output>> | Promise<ToolOutcome<InputOf<Output>>>;
}

/** The question to the user, or the answer if the tool has nothing left to do. */
export type Asked<Structured = unknown> =
  string | ToolAnswer<Structured> | Promise<string | ToolAnswer<Structured>>;

/** A tool that can be added to a server. */
export interface Tool<Context = unknown> {
  /** The name, unique among the tools of a server. */
  readonly name: string;
  /** The entry of the tool in `tools/list`. */
  readonly listed: ListedTool;
  /** Whether its annotations declare it read-only. */
  readonly isReadOnly: boolean;
  /** The schema of the arguments. */
  readonly input: Schema;
  /** The schema of `structuredContent`, if the tool has one. */
  readonly output: Schema | undefined;
  /** The question: see {@link ToolDefinition.question}. */
  readonly question: ((input: never, call: Call<Context>) => Asked) | undefined;
  /** Whether a call may scan all stored data: see {@link ToolDefinition.isHeavy}. */
  readonly isHeavy: ((args: { readonly [name: string]: unknown }) => boolean) | undefined;
  /** Does the work: see {@link ToolDefinition.run}. */
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
 * Defines a tool. The types of its input and output are inferred from their schemas.
 *
 * @throws {TypeError} if a schema is not valid or does not state its JSON Schema, or if the input is
 *   not an object: the message names the tool and the place in the schema; if anything in it cannot be sent,
 *   such as a function; if `app` does not begin with
 *   `ui://`; or if `visibility` is empty or names anyone else.
 */
export function defineTool<
  const Input extends SchemaSource = typeof ANYTHING,
  const Output extends SchemaSource = SchemaSource,
  Context = unknown,
>(definition: ToolDefinition<Input, Output, Context>): Tool<Context> {
  const { name, title, description, icons, annotations, question, isHeavy, run } = definition;
  const _meta = metaOf(definition);
  const input = compile(`The input of the tool ${name}`, inputSchema, definition.input ?? ANYTHING);
  const output =
    definition.output && compile(`The output of the tool ${name}`, outputSchema, definition.output);
  return {
    name,
    listed: plainDefinition(
      {
        name,
        ...omitUndefined({ title, description, icons, annotations, _meta }),
        inputSchema: input.jsonSchema,
        ...(output && { outputSchema: output.jsonSchema }),
      },
      `The tool ${name}`,
    ),
    isReadOnly: annotations?.readOnlyHint === true,
    input,
    output,
    question,
    isHeavy,
    run,
  };
}

/**
 * Checks the uri of an app.
 *
 * @throws {TypeError} unless it is the uri of an app.
 */
export function checkAppUri(uri: string): void {
  if (!uri.startsWith('ui://'))
    throw new TypeError(`The uri of an app begins with ui://, not ${uri}.`);
}

function isReader(who: unknown): boolean {
  return who === 'app' || who === 'model';
}

/** The author's own `_meta`, with the app under the current key and the deprecated one. */
function metaOf({
  name,
  _meta,
  app,
  visibility,
}: Pick<ToolDefinition, 'name' | '_meta' | 'app' | 'visibility'>): Meta | undefined {
  if (app === undefined && visibility === undefined) return _meta;
  if (app !== undefined) checkAppUri(app);
  if (visibility !== undefined && !(visibility.length > 0 && visibility.every(isReader)))
    throw new TypeError(`visibility of the tool ${name} must name app, model or both.`);
  return {
    ..._meta,
    ui: { ...(_meta?.['ui'] as object), ...omitUndefined({ resourceUri: app, visibility }) },
    ...(app !== undefined && { 'ui/resourceUri': app }),
  };
}

function compile(
  place: string,
  schemaOf: (source: SchemaSource) => Schema,
  source: SchemaSource,
): Schema {
  try {
    return schemaOf(source);
  } catch (error) {
    throw new TypeError(`${place}: ${(error as Error).message}`, { cause: error });
  }
}

/** The result of a tool that failed, for the model to act on (Tools › Error Handling). */
export function errorResult(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

/** The text for the model about invalid arguments. */
export function invalidArgumentsText(issues: Parameters<typeof issuesText>[0]): string {
  return `Invalid arguments: ${issuesText(issues)}`;
}
