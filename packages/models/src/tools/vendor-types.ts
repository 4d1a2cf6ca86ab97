import type { AnthropicBlock, OpenAiPart } from '../context/part-types.js';

/** A JSON Schema of the arguments of a tool. */
export interface ToolSchema {
  /** The type: the arguments are always an object. */
  type: 'object';
  /** The schemas of the arguments, by name. Empty without arguments. */
  properties: { [name: string]: unknown };
  /** The names of the required arguments. Default: none. */
  required?: string[];
  [keyword: string]: unknown;
}

/** A tool in a request to Anthropic's Messages API. */
export interface AnthropicTool {
  /** The name by which the model calls the tool. */
  name: string;
  /** The description from the server. Absent if it has none. */
  description?: string;
  /** The schema of the arguments. */
  input_schema: ToolSchema;
}

/** The members of a `tool_result` block of Anthropic's Messages API, except `type` and `tool_use_id`. */
export interface AnthropicToolAnswer {
  /** At least one block. No text is empty, because the API refuses empty texts. */
  content: Exclude<AnthropicBlock, { source: { type: 'text' } }>[];
  /** Whether the tool has failed. */
  is_error: boolean;
}

/** A tool in a request to OpenAI's Responses API. */
export interface OpenAiTool {
  /** A function of the caller. */
  type: 'function';
  /** The name by which the model calls the tool. */
  name: string;
  /** The description from the server. Absent if it has none. */
  description?: string;
  /** The schema of the arguments. */
  parameters: ToolSchema;
  /** The strict mode accepts only a part of JSON Schema; the server checks the arguments anyway. */
  strict: false;
}

/** The `output` of a `function_call_output` item: a text, or parts if it has an image or a PDF. */
export type OpenAiToolAnswer = string | OpenAiPart[];

/** A tool in a request to OpenAI's Chat Completions API, and to the servers that speak its protocol. */
export interface OpenAiChatTool {
  /** A function of the caller. */
  type: 'function';
  /** The name for the model, the description from the server, and the schema of the arguments. */
  function: { name: string; description?: string; parameters: ToolSchema };
}

/** An entry of `tools` in a request to Google's Gemini API. */
export interface GoogleTool {
  /** All tools. */
  functionDeclarations: {
    name: string;
    description?: string;
    parametersJsonSchema: ToolSchema;
  }[];
}

/** The members of a `functionResponse` of Google's Gemini API, except `name` and `id`. */
export interface GoogleToolAnswer {
  /** The texts; `error` if the tool has failed. */
  response: { output: string } | { error: string };
  /** Images and PDFs in base64, from Gemini 3. Absent if the answer has none. */
  parts?: { inlineData: { mimeType: string; data: string } }[];
}

/** The output of a tool in a message of the AI SDK of Vercel. `data` is base64. */
export type AiSdkToolAnswer =
  | { type: 'text' | 'error-text'; value: string }
  | {
      type: 'content';
      value: (
        | { type: 'text'; text: string }
        | { type: 'image-data'; data: string; mediaType: string }
        | { type: 'file-data'; data: string; mediaType: string; filename: string }
      )[];
    };

/** A schema in the form that the AI SDK accepts from any library (standardschema.dev, with JSON Schema). */
export interface AiSdkSchema {
  /** The members that the specification of Standard Schema names. */
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    /** Accepts everything: the server checks the arguments. */
    readonly validate: (value: unknown) => { value: unknown };
    readonly jsonSchema: {
      readonly input: () => { [keyword: string]: unknown };
      readonly output: () => { [keyword: string]: unknown };
    };
  };
}

/** A tool of the AI SDK of Vercel, with the function that calls it. */
export interface AiSdkTool {
  /** The type of a tool of whose arguments TypeScript does not know the types. */
  type: 'dynamic';
  /** The description from the server. Absent if it has none. */
  description?: string;
  /** The schema of the arguments. */
  inputSchema: AiSdkSchema;
  /** Rejects only with the reason of a signal. */
  execute: (
    input: unknown,
    options?: { abortSignal?: AbortSignal | undefined },
  ) => Promise<AiSdkToolAnswer>;
  /** Returns the output of `execute` as it is. */
  toModelOutput: (options: { output: unknown }) => AiSdkToolAnswer;
}

/** A tool for any other library. */
export interface TextTool {
  /** The name by which the model calls the tool. */
  name: string;
  /** The description from the server; empty if it has none. */
  description: string;
  /** The schema of the arguments. */
  inputSchema: ToolSchema;
}
