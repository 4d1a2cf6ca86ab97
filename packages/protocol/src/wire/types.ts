/**
 * The messages of servers and clients, as plain types (MCP 2026-07-28, which includes the older
 * revisions). A test compares them with the official SDK's types.
 */

/** The `_meta` of a message. It is open by design: either side may add members that the other does not know. */
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
  /** The address, an `https:` or a `data:` URI. Code that shows it must reject any other scheme. */
  src: string;
  /** The media type, such as `image/png`. Default: the type with which the address is served. */
  mimeType?: string | undefined;
  /** The sizes, such as `48x48`, or `any`. */
  sizes?: string[] | undefined;
  /** The background that it is designed for. */
  theme?: 'light' | 'dark' | undefined;
}

/** The name and version of a client or server. */
export interface Implementation {
  /** The name for programs, such as `inpage-mcp`. */
  name: string;
  /** The version, in any format. */
  version: string;
  /** The title, for people. Default: the name is shown. */
  title?: string | undefined;
  /** The description for people: the purpose of the program. */
  description?: string | undefined;
  /** An `https:` address. Code that links to it must reject other schemes. */
  websiteUrl?: string | undefined;
  /** The icons. Default: none. */
  icons?: Icon[] | undefined;
}

/** Hints for showing or ranking a resource (Resources › Annotations). */
export interface Annotations {
  /** The intended readers. Default: both. */
  audience?: ('user' | 'assistant')[] | undefined;
  /** The importance, from 0 (optional) to 1 (required). */
  priority?: number | undefined;
  /** The time of the last change, in ISO 8601. */
  lastModified?: string | undefined;
}

/** The common members of every listed entry. */
export interface Listed {
  /** The name for programs, which identifies a tool or a prompt. */
  name: string;
  /** The title, for people. Default: the name is shown. */
  title?: string | undefined;
  /** The description, for people and the model. */
  description?: string | undefined;
  /** The icons. Default: none. */
  icons?: Icon[] | undefined;
  /** Further data. */
  _meta?: Meta | undefined;
}

/** An entry of `resources/list`. */
export interface Resource extends Listed {
  /** The uri, which identifies the resource; any scheme. */
  uri: string;
  /** The media type, if it is known. */
  mimeType?: string | undefined;
  /** The size in bytes, before any encoding. */
  size?: number | undefined;
  /** Hints for showing or ranking it. */
  annotations?: Annotations | undefined;
}

/** An entry of `resources/templates/list`. */
export interface ResourceTemplate extends Listed {
  /** The template (RFC 6570). */
  uriTemplate: string;
  /** The media type, if all resources of the template have the same. */
  mimeType?: string | undefined;
  /** Hints for showing or ranking its resources. */
  annotations?: Annotations | undefined;
}

/** Text contents. */
export interface TextResourceContents {
  /** The uri of the resource, or of a part of it. */
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
  /** The uri of the resource, or of a part of it. */
  uri: string;
  /** The media type, if it is known. */
  mimeType?: string | undefined;
  /** The bytes in base64. */
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
  /** The bytes in base64. */
  data: string;
  /** The media type, such as `image/png`. */
  mimeType: string;
}

/** A sound. */
export interface AudioContent extends Content {
  /** Distinguishes the blocks. */
  type: 'audio';
  /** The bytes in base64. */
  data: string;
  /** The media type, such as `audio/wav`. */
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
  /** The title, for people. Default: the title of the tool. */
  title?: string | undefined;
  /** Whether the tool changes nothing. */
  readOnlyHint?: boolean | undefined;
  /** Whether the tool may delete or overwrite, rather than only add. */
  destructiveHint?: boolean | undefined;
  /** Whether a second call with the same arguments has no further effect. */
  idempotentHint?: boolean | undefined;
  /** Whether the tool interacts with systems outside the server. */
  openWorldHint?: boolean | undefined;
}

/** The result of `tools/call`. */
export interface CallToolResult {
  /** The content, for the model. */
  content: ContentBlock[];
  /** The structured result, for programs; valid for the tool's output schema. */
  structuredContent?: unknown;
  /** Whether the tool failed; `content` then has the reason. */
  isError?: boolean | undefined;
  /** Further data. */
  _meta?: Meta | undefined;
}

/** A message of a prompt, for the model. */
export interface PromptMessage {
  /** The role of the speaker. */
  role: 'user' | 'assistant';
  /** The content of the message. */
  content: ContentBlock;
}

/** The result of `prompts/get`. */
export interface GetPromptResult {
  /** The description, for people. */
  description?: string | undefined;
  /** The messages, in the order of the conversation. */
  messages: PromptMessage[];
  /** Further data. */
  _meta?: Meta | undefined;
}

/** The result of `resources/read`. */
export interface ReadResourceResult {
  /** The contents: one item, or several, such as the files of a folder. */
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
  /** The capability of completion: present if the server completes arguments. */
  completions?: object;
  /** The capability of logging: present if the server sends log messages. */
  logging?: object;
  /**
   * The capability of prompts: present if the server has them; `listChanged`: it reports changes of the list.
   */
  prompts?: { listChanged?: boolean };
  /**
   * The capability of resources: present if the server has them; `subscribe`: it reports changes of one,
   * `listChanged`: of the list.
   */
  resources?: { subscribe?: boolean; listChanged?: boolean };
  /** The capability of tools: present if the server has them; `listChanged`: it reports changes of the list. */
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

/** One of {@link LOG_LEVELS}. */
export type LogLevel = (typeof LOG_LEVELS)[number];
