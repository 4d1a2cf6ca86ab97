/**
 * The messages of servers and clients, as plain types (MCP 2026-07-28, which includes the older
 * revisions). A test compares them with the official SDK's types.
 */

/** Open by design: either side may add members that the other does not know. */
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

/** An icon (Base Protocol › icons). */
export interface Icon {
  /** An `https:` or a `data:` URI. Code that shows it must reject any other scheme. */
  src: string;
  mimeType?: string | undefined;
  /** Such as `48x48`, or `any`. */
  sizes?: string[] | undefined;
  /** The background that it is designed for. */
  theme?: 'light' | 'dark' | undefined;
}

/** The name and version of a client or server. */
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

/** The common members of every listed entry. */
export interface Listed {
  name: string;
  /** For people. Default: the name is shown. */
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

/** Text contents. */
export interface TextResourceContents {
  uri: string;
  mimeType?: string | undefined;
  text: string;
  _meta?: Meta | undefined;
}

/** Binary contents. */
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

/** A link to a resource, which need not be listed. */
export interface ResourceLink extends Resource {
  type: 'resource_link';
}

/** A resource with its contents. */
export interface EmbeddedResource extends Content {
  type: 'resource';
  resource: ResourceContents;
}

/** A block of a tool's result or of a prompt's message (Tools › Tool Result). */
export type ContentBlock =
  TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource;

/**
 * Hints about a tool. They are not guarantees: do not rely on them if you do not trust the server
 * (Tools › Tool).
 */
export interface ToolAnnotations {
  title?: string | undefined;
  /** The tool changes nothing. */
  readOnlyHint?: boolean | undefined;
  /** The tool may delete or overwrite, rather than only add. */
  destructiveHint?: boolean | undefined;
  /** A second call with the same arguments has no further effect. */
  idempotentHint?: boolean | undefined;
  /** The tool interacts with systems outside the server. */
  openWorldHint?: boolean | undefined;
}

/** The result of `tools/call`. */
export interface CallToolResult {
  /** For the model. */
  content: ContentBlock[];
  /** For programs; valid for the tool's output schema. */
  structuredContent?: unknown;
  /** Whether the tool failed; `content` then has the reason. */
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

/** The capabilities that a client declares. */
export interface ClientCapabilities {
  elicitation?: { form?: object | undefined; url?: object | undefined } | undefined;
  sampling?: { tools?: object | undefined; context?: object | undefined } | undefined;
  roots?: { listChanged?: boolean | undefined } | undefined;
  extensions?: { [name: string]: object } | undefined;
  [capability: string]: unknown;
}

/** The capabilities that a server declares. */
export interface ServerCapabilities {
  completions?: object;
  logging?: object;
  prompts?: { listChanged?: boolean };
  resources?: { subscribe?: boolean; listChanged?: boolean };
  tools?: { listChanged?: boolean };
  extensions?: { [name: string]: object };
}

/** The severities of log messages, the lowest first (RFC 5424). */
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
