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
  /** Such as `image/png`. Default: the type with which the address is served. */
  mimeType?: string | undefined;
  /** Such as `48x48`, or `any`. */
  sizes?: string[] | undefined;
  /** The background that it is designed for. */
  theme?: 'light' | 'dark' | undefined;
}

/** The name and version of a client or server. */
export interface Implementation {
  /** For programs, such as `inpage-mcp`. */
  name: string;
  /** In any format. */
  version: string;
  /** For people. Default: the name is shown. */
  title?: string | undefined;
  /** For people: what it does. */
  description?: string | undefined;
  /** An `https:` address. Code that links to it must reject other schemes. */
  websiteUrl?: string | undefined;
  /** Default: none. */
  icons?: Icon[] | undefined;
}

/** Hints for showing or ranking a resource (Resources › Annotations). */
export interface Annotations {
  /** The intended readers. Default: both. */
  audience?: ('user' | 'assistant')[] | undefined;
  /** 0 (optional) to 1 (required). */
  priority?: number | undefined;
  /** ISO 8601. */
  lastModified?: string | undefined;
}

/** The common members of every listed entry. */
export interface Listed {
  /** For programs: identifies a tool or a prompt. */
  name: string;
  /** For people. Default: the name is shown. */
  title?: string | undefined;
  /** For people and the model. */
  description?: string | undefined;
  /** Default: none. */
  icons?: Icon[] | undefined;
  /** Further data. */
  _meta?: Meta | undefined;
}

/** An entry of `resources/list`. */
export interface Resource extends Listed {
  /** Identifies the resource; any scheme. */
  uri: string;
  /** The media type, if it is known. */
  mimeType?: string | undefined;
  /** In bytes, before any encoding. */
  size?: number | undefined;
  /** Hints for showing or ranking it. */
  annotations?: Annotations | undefined;
}

/** An entry of `resources/templates/list`. */
export interface ResourceTemplate extends Listed {
  /** RFC 6570. */
  uriTemplate: string;
  /** The media type, if all resources of the template have the same. */
  mimeType?: string | undefined;
  /** Hints for showing or ranking its resources. */
  annotations?: Annotations | undefined;
}

/** Text contents. */
export interface TextResourceContents {
  /** The resource, or a part of it. */
  uri: string;
  /** The media type, if it is known. */
  mimeType?: string | undefined;
  /** The text itself. */
  text: string;
  /** Further data. */
  _meta?: Meta | undefined;
}

/** Binary contents. */
export interface BlobResourceContents {
  /** The resource, or a part of it. */
  uri: string;
  /** The media type, if it is known. */
  mimeType?: string | undefined;
  /** Base64. */
  blob: string;
  /** Further data. */
  _meta?: Meta | undefined;
}

/** One item of a `resources/read` result. */
export type ResourceContents = TextResourceContents | BlobResourceContents;

interface Content {
  /** Hints for showing or ranking it. */
  annotations?: Annotations | undefined;
  /** Further data. */
  _meta?: Meta | undefined;
}

/** A text. */
export interface TextContent extends Content {
  /** Distinguishes the blocks. */
  type: 'text';
  /** The text itself. A server may send Markdown. */
  text: string;
}

/** An image. */
export interface ImageContent extends Content {
  /** Distinguishes the blocks. */
  type: 'image';
  /** Base64. */
  data: string;
  /** Such as `image/png`. */
  mimeType: string;
}

/** A sound. */
export interface AudioContent extends Content {
  /** Distinguishes the blocks. */
  type: 'audio';
  /** Base64. */
  data: string;
  /** Such as `audio/wav`. */
  mimeType: string;
}

/** A link to a resource, which need not be listed. */
export interface ResourceLink extends Resource {
  /** Distinguishes the blocks. */
  type: 'resource_link';
}

/** A resource with its contents. */
export interface EmbeddedResource extends Content {
  /** Distinguishes the blocks. */
  type: 'resource';
  /** The contents, as `resources/read` returns them. */
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
  /** For people. Default: the title of the tool. */
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
  /** Further data. */
  _meta?: Meta | undefined;
}

/** A message of a prompt, for the model. */
export interface PromptMessage {
  /** Who says it. */
  role: 'user' | 'assistant';
  /** What is said. */
  content: ContentBlock;
}

/** The result of `prompts/get`. */
export interface GetPromptResult {
  /** For people. */
  description?: string | undefined;
  /** The messages, in the order of the conversation. */
  messages: PromptMessage[];
  /** Further data. */
  _meta?: Meta | undefined;
}

/** The result of `resources/read`. */
export interface ReadResourceResult {
  /** One item, or several, such as the files of a folder. */
  contents: ResourceContents[];
  /** Further data. */
  _meta?: Meta | undefined;
}

/** The capabilities that a client declares. */
export interface ClientCapabilities {
  /** Whether the server may ask the user, by a form or a URL. */
  elicitation?: { form?: object | undefined; url?: object | undefined } | undefined;
  /** Whether the server may ask the model of the client. */
  sampling?: { tools?: object | undefined; context?: object | undefined } | undefined;
  /** Whether the server may ask for the folders of the client. */
  roots?: { listChanged?: boolean | undefined } | undefined;
  /** The extensions of the protocol that the client has, by name. */
  extensions?: { [name: string]: object } | undefined;
  [capability: string]: unknown;
}

/** The capabilities that a server declares. */
export interface ServerCapabilities {
  /** Present if the server completes arguments. */
  completions?: object;
  /** Present if the server sends log messages. */
  logging?: object;
  /** Present if the server has prompts; `listChanged`: it reports changes of the list. */
  prompts?: { listChanged?: boolean };
  /**
   * Present if the server has resources; `subscribe`: it reports changes of one, `listChanged`: of
   * the list.
   */
  resources?: { subscribe?: boolean; listChanged?: boolean };
  /** Present if the server has tools; `listChanged`: it reports changes of the list. */
  tools?: { listChanged?: boolean };
  /** The extensions of the protocol that the server has, by name. */
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
