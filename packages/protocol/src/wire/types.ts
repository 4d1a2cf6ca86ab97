/**
 * What a server and its client say, as plain types (MCP 2026-07-28, which holds what the revisions
 * before it have, too). A test compares them with the official SDK's.
 */

/** Open by design: either side may add what the other does not know. */
export interface Meta {
  [key: string]: unknown;
}

/** The params of any method. */
export interface Params {
  [name: string]: unknown;
}

/** The result of any method. */
export interface Result {
  [name: string]: unknown;
}

/** A picture that stands for something (Base Protocol › icons). */
export interface Icon {
  /** An `https:` or a `data:` URI. Code that shows it has to refuse any other scheme. */
  src: string;
  mimeType?: string | undefined;
  /** Such as `48x48`, or `any`. */
  sizes?: string[] | undefined;
  /** The ground that it is drawn for. */
  theme?: 'light' | 'dark' | undefined;
}

/** Who a client or server is. */
export interface Implementation {
  name: string;
  version: string;
  title?: string | undefined;
  description?: string | undefined;
  websiteUrl?: string | undefined;
  icons?: Icon[] | undefined;
}

/** Hints for showing or ranking a resource (Resources › Annotations). */
export interface Annotations {
  audience?: ('user' | 'assistant')[] | undefined;
  /** 0 (optional) to 1 (required). */
  priority?: number | undefined;
  /** ISO 8601. */
  lastModified?: string | undefined;
}

/** What everything that a server lists has. */
export interface Listed {
  name: string;
  /** For people; without it they are shown the name. */
  title?: string | undefined;
  description?: string | undefined;
  icons?: Icon[] | undefined;
  _meta?: Meta | undefined;
}

/** An entry of `resources/list`. */
export interface Resource extends Listed {
  uri: string;
  mimeType?: string | undefined;
  /** In bytes, before any encoding. */
  size?: number | undefined;
  annotations?: Annotations | undefined;
}

/** An entry of `resources/templates/list`. */
export interface ResourceTemplate extends Listed {
  /** RFC 6570. */
  uriTemplate: string;
  mimeType?: string | undefined;
  annotations?: Annotations | undefined;
}

/** Contents that are text. */
export interface TextResourceContents {
  uri: string;
  mimeType?: string | undefined;
  text: string;
  _meta?: Meta | undefined;
}

/** Contents that are bytes. */
export interface BlobResourceContents {
  uri: string;
  mimeType?: string | undefined;
  /** Base64. */
  blob: string;
  _meta?: Meta | undefined;
}

/** One item of a `resources/read` result. */
export type ResourceContents = TextResourceContents | BlobResourceContents;

interface Content {
  annotations?: Annotations | undefined;
  _meta?: Meta | undefined;
}

export interface TextContent extends Content {
  type: 'text';
  text: string;
}

export interface ImageContent extends Content {
  type: 'image';
  /** Base64. */
  data: string;
  mimeType: string;
}

export interface AudioContent extends Content {
  type: 'audio';
  /** Base64. */
  data: string;
  mimeType: string;
}

/** A resource that can be read; it need not be on the list. */
export interface ResourceLink extends Resource {
  type: 'resource_link';
}

/** A resource with its contents. */
export interface EmbeddedResource extends Content {
  type: 'resource';
  resource: ResourceContents;
}

/** A piece of a tool's result or of a prompt's message (Tools › Tool Result). */
export type ContentBlock =
  TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource;

/** What a tool says of itself: hints, not promises: of a server that you do not trust, nothing (Tools › Tool). */
export interface ToolAnnotations {
  title?: string | undefined;
  /** It changes nothing. */
  readOnlyHint?: boolean | undefined;
  /** It may delete or overwrite, rather than only add. */
  destructiveHint?: boolean | undefined;
  /** Calling it twice with the same arguments does no more than calling it once. */
  idempotentHint?: boolean | undefined;
  /** It reaches beyond the server's own world. */
  openWorldHint?: boolean | undefined;
}

/** The result of `tools/call`. */
export interface CallToolResult {
  /** For the model. */
  content: ContentBlock[];
  /** For programs; fits the tool's output schema. */
  structuredContent?: unknown;
  /** Whether the tool failed: `content` then says why. */
  isError?: boolean | undefined;
  _meta?: Meta | undefined;
}

/** A message of a prompt, for the model. */
export interface PromptMessage {
  role: 'user' | 'assistant';
  content: ContentBlock;
}

/** The result of `prompts/get`. */
export interface GetPromptResult {
  description?: string | undefined;
  messages: PromptMessage[];
  _meta?: Meta | undefined;
}

/** The result of `resources/read`. */
export interface ReadResourceResult {
  contents: ResourceContents[];
  _meta?: Meta | undefined;
}

/** What a client says it can do. */
export interface ClientCapabilities {
  elicitation?: { form?: object | undefined; url?: object | undefined } | undefined;
  sampling?: { tools?: object | undefined; context?: object | undefined } | undefined;
  roots?: { listChanged?: boolean | undefined } | undefined;
  extensions?: { [name: string]: object } | undefined;
  [capability: string]: unknown;
}

/** What a server says it can do. */
export interface ServerCapabilities {
  completions?: object;
  logging?: object;
  prompts?: { listChanged?: boolean };
  resources?: { subscribe?: boolean; listChanged?: boolean };
  tools?: { listChanged?: boolean };
  extensions?: { [name: string]: object };
}

/** How much a message of the log matters, the least first (RFC 5424). */
export const LOG_LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;

/** See {@link LOG_LEVELS}. */
export type LogLevel = (typeof LOG_LEVELS)[number];
