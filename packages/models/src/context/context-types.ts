import type { ReadResourceResult, RequestOptions, Resource } from '@inpage-mcp/client';
import type { ContextParts } from './part-types.js';

/** The reader of the resources, such as an `McpClient`. */
export interface ResourceReader {
  /** Reads the contents of a resource. If it rejects, the resource is omitted as `failed`. */
  readResource(uri: string, options?: RequestOptions): Promise<ReadResourceResult>;
}

/**
 * The format of the context, by its reader:
 *
 * - `mcp`: content blocks of a prompt message, each with an embedded resource
 * - `anthropic`: content blocks of Anthropic's Messages API
 * - `openai`: input parts of OpenAI's Responses API
 * - `openai-chat`: content parts of OpenAI's Chat Completions API
 * - `google`: parts of Google's Gemini API
 * - `ai-sdk`: parts of a user message of the AI SDK of Vercel
 * - `text`: one text for any model
 */
export type ContextFormat = keyof ContextParts | 'text';

/** Options of the context. `signal` and `timeoutMs` (default: 30,000) apply to each read. */
export interface ContextOptions<Format extends ContextFormat> extends RequestOptions {
  /** The format of the parts. */
  format: Format;
  /**
   * The maximum number of tokens of everything that is sent: the contents with their titles and uris;
   * estimated, 0 or more. Default: no limit. A content that does not fit into the rest of the budget is
   * omitted, and the next one is tried.
   */
  budget?: number | undefined;
  /**
   * The entries of a list of resources. Title, audience and priority are taken from them if the contents do
   * not have them. Servers of this project add them to the contents, others do not. Default: no entries.
   */
  resources?: readonly Resource[] | undefined;
}

/** A content that the model gets. */
export interface IncludedContent {
  /** The uri of the content: those of a folder or a search have another uri than the resource. */
  uri: string;
  /** The title in one line, of 200 characters at most; the uri if the server gives no title. */
  title: string;
  /** The estimated number of tokens: see {@link ContextOptions}. */
  tokens: number;
}

/** A resource or a content that the model does not get. */
export interface OmittedContent {
  /** The uri of the content, or of the resource if it was not read. */
  uri: string;
  /** The title in one line, of 200 characters at most. Absent if it is not known. */
  title?: string;
  /**
   * The reason as a code:
   *
   * - `audience`: it is only for the user (Resources › Annotations)
   * - `budget`: it does not fit into the rest of the budget
   * - `unsupported`: the format has no place for its media type
   * - `failed`: it could not be read
   */
  reason: 'audience' | 'budget' | 'unsupported' | 'failed';
  /** The reason as a text, for people. If reading has failed, it may be the text of the server. */
  message: string;
}

interface Report {
  /** The contents in the order of the parts: by falling priority, then in the order of the uris. */
  included: IncludedContent[];
  /** The omitted contents, in the order of the uris. */
  omitted: OmittedContent[];
  /** The sum of the tokens of `included`. */
  tokens: number;
}

/** A context of parts. */
export interface PartsContext<Part> extends Report {
  /** The content of a user message. A content may have two parts: its name and itself. */
  parts: Part[];
}

/** A context of one text. */
export interface TextContext extends Report {
  /**
   * The texts, each between two fences of Markdown that are longer than any in the text, below its title,
   * uri and media type. Empty if nothing is included.
   */
  text: string;
}

/** The context in a format. */
export type Context<Format extends ContextFormat> = Format extends keyof ContextParts
  ? PartsContext<ContextParts[Format]>
  : TextContext;
