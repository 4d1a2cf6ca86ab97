import type {
  CallOptions,
  CallToolResult,
  ListToolsResult,
  PageOptions,
  RequestOptions,
} from '@inpage-mcp/client';
import type * as vendor from './vendor-types.js';

/** The client that lists and calls the tools, such as an `McpClient`. */
export interface ToolCaller {
  /** One page of the tools. */
  listTools(options?: PageOptions): Promise<ListToolsResult>;
  /** Calls a tool. If it rejects, the model gets the reason. */
  callTool(
    name: string,
    args?: { [name: string]: unknown },
    options?: CallOptions,
  ): Promise<CallToolResult>;
}

/** The type of `tools` for each format, and the type to which `call` resolves. */
export interface ToolFormats {
  /** Anthropic's Messages API. */
  anthropic: { tools: vendor.AnthropicTool[]; answer: vendor.AnthropicToolAnswer };
  /** OpenAI's Responses API. */
  openai: { tools: vendor.OpenAiTool[]; answer: vendor.OpenAiToolAnswer };
  /** OpenAI's Chat Completions API. Its tool messages can contain only text. */
  'openai-chat': { tools: vendor.OpenAiChatTool[]; answer: string };
  /** Google's Gemini API. */
  google: { tools: vendor.GoogleTool[]; answer: vendor.GoogleToolAnswer };
  /** The AI SDK of Vercel, from version 6: a `ToolSet`. */
  'ai-sdk': { tools: { [name: string]: vendor.AiSdkTool }; answer: vendor.AiSdkToolAnswer };
  /** Any other library: names, descriptions and schemas; answers are texts. */
  text: { tools: vendor.TextTool[]; answer: string };
}

/** The name of a format: see {@link ToolFormats}. */
export type ToolFormat = keyof ToolFormats;

/** Options of the tools and their answers. */
export interface ToolsOptions<Format extends ToolFormat> {
  /** The format of the tools and of their answers. */
  format: Format;
  /** Cancels the list and every call; they reject with its reason. */
  signal?: AbortSignal | undefined;
  /**
   * Milliseconds that a call may pass without progress. Default: 600,000, because the server may ask
   * its user before it answers.
   */
  timeoutMs?: number | undefined;
  /**
   * The maximum number of tokens of the answer of a call, estimated as by `toContext`; 0 or more. Above the
   * limit, a text is truncated, and an image or a PDF is omitted; the answer reports this. Default: no limit.
   */
  budget?: number | undefined;
  /**
   * Whether the model accepts images and PDFs in answers of tools. If not, the answer names what was
   * omitted. Default: true, if the API accepts them.
   */
  media?: boolean | undefined;
}

/** The tools of a server, for a model. */
export interface ModelTools<Format extends ToolFormat> {
  /** The tools for the request to the model. Empty if the connection has no tools. */
  tools: ToolFormats[Format]['tools'];
  /**
   * Calls a tool that the model has asked for, and resolves to the answer for the model.
   *
   * If the tool fails, if the server refuses the call, or if the connection fails, it resolves to an error
   * for the model. If the tool may have run although no answer arrived, the error says so.
   *
   * @param name As in {@link tools}, where names that an API may refuse are changed.
   * @param args The arguments of the model: an object, or its JSON. Default: none.
   * @throws The reason of the signal of {@link ToolsOptions} or of `options`, and no other error.
   */
  call(
    name: string,
    args?: unknown,
    options?: RequestOptions,
  ): Promise<ToolFormats[Format]['answer']>;
}
