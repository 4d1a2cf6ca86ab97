import type { CallOptions, PageOptions, RequestOptions } from '../api/request-options.js';
import type { CallToolResult, ListToolsResult } from '../api/tool-types.js';
import type {
  AiSdkTool,
  AiSdkToolAnswer,
  AnthropicTool,
  AnthropicToolAnswer,
  GoogleTool,
  GoogleToolAnswer,
  OpenAiChatTool,
  OpenAiTool,
  OpenAiToolAnswer,
  TextTool,
} from './vendor-types.js';

/** What has the tools; an `McpClient` is one. */
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

/** What each format has in `tools`, and what its `call` resolves to. */
export interface ToolFormats {
  /** Anthropic's Messages API. */
  anthropic: { tools: AnthropicTool[]; answer: AnthropicToolAnswer };
  /** OpenAI's Responses API. */
  openai: { tools: OpenAiTool[]; answer: OpenAiToolAnswer };
  /** OpenAI's Chat Completions API. Its messages of tools have only text. */
  'openai-chat': { tools: OpenAiChatTool[]; answer: string };
  /** Google's Gemini API. */
  google: { tools: GoogleTool[]; answer: GoogleToolAnswer };
  /** The AI SDK of Vercel, from version 6: a `ToolSet`. */
  'ai-sdk': { tools: { [name: string]: AiSdkTool }; answer: AiSdkToolAnswer };
  /** Any other library: names, descriptions and schemas; answers are texts. */
  text: { tools: TextTool[]; answer: string };
}

/** The name of a format: see {@link ToolFormats}. */
export type ToolFormat = keyof ToolFormats;

/** How the tools and their answers are made. */
export interface ToolsOptions<Format extends ToolFormat> {
  /** The format of the tools and of their answers. */
  format: Format;
  /** Ends the list and every call; they reject with its reason. */
  signal?: AbortSignal | undefined;
  /**
   * Milliseconds that a call may pass without progress. Default: 600,000, because the server may ask
   * its user before it answers.
   */
  timeoutMs?: number | undefined;
  /**
   * How many tokens the answer of a call may have, estimated as by `toContext`; 0 or more. A text is cut
   * there, and an image or a PDF is left out; the answer says so. Default: no limit.
   */
  budget?: number | undefined;
  /**
   * Whether the model takes images and PDFs in answers of tools. If not, the answer says what was left
   * out. Default: true, where the API has a place for them.
   */
  media?: boolean | undefined;
}

/** The tools of a server, for a model. */
export interface ModelTools<Format extends ToolFormat> {
  /** For the request to the model. Empty if the connection has no tools. */
  tools: ToolFormats[Format]['tools'];
  /**
   * Calls a tool that the model has asked for, and resolves to what the model gets.
   *
   * If the tool fails, if the server refuses the call, or if the connection fails, it resolves to an error
   * for the model. If a tool may have had effects although no answer came, the error says so.
   *
   * @param name As in {@link tools}: names that no API accepts are changed there.
   * @param args The arguments of the model: an object, or its JSON. Default: none.
   * @throws the reason of the signal of the options or of `options`, and nothing else.
   */
  call(
    name: string,
    args?: unknown,
    options?: RequestOptions,
  ): Promise<ToolFormats[Format]['answer']>;
}
