import type { ReadResourceResult, RequestOptions, Resource } from '@inpage-mcp/client';
import type { ContextParts } from './part-types.js';

/** What reads the resources; an `McpClient` is one. */
export interface ResourceReader {
  /** The contents of a resource. If it rejects, the resource is left out as `failed`. */
  readResource(uri: string, options?: RequestOptions): Promise<ReadResourceResult>;
}

/**
 * Who reads the context:
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

/** How the context is made. `signal` and `timeoutMs` (default: 30,000) hold for each read. */
export interface ContextOptions<Format extends ContextFormat> extends RequestOptions {
  /** The format of the parts. */
  format: Format;
  /**
   * How many tokens everything that goes out may have: the contents with their titles and uris; estimated,
   * 0 or more. Default: no limit. A content that does not fit into the rest of the budget is left out, and
   * the next one is tried.
   */
  budget?: number | undefined;
  /**
   * What a list says of the resources. Title, audience and priority are taken from it if the contents do
   * not have them. Servers of this project add them to the contents, others do not. Default: none.
   */
  resources?: readonly Resource[] | undefined;
}

/** A content that the model gets. */
export interface IncludedContent {
  /** Of the content: those of a folder or a search have another uri than the resource. */
  uri: string;
  /** In one line, of 200 characters at most; the uri if the server gives no title. */
  title: string;
  /** An estimate: see {@link ContextOptions}. */
  tokens: number;
}

/** A resource or a content that the model does not get. */
export interface OmittedContent {
  /** Of the content, or of the resource if it was not read. */
  uri: string;
  /** In one line, of 200 characters at most. Absent if it is not known. */
  title?: string;
  /**
   * - `audience`: it is only for the user (Resources › Annotations)
   * - `budget`: it does not fit into the rest of the budget
   * - `unsupported`: the format has no place for its media type
   * - `failed`: it could not be read
   */
  reason: 'audience' | 'budget' | 'unsupported' | 'failed';
  /** The reason in words, for people. If it has failed, the words may be those of the server. */
  message: string;
}

interface Report {
  /** The contents in the order of the parts: by falling priority, then in the order of the uris. */
  included: IncludedContent[];
  /** What was left out, in the order of the uris. */
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
