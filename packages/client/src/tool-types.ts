import type { ContentBlock } from './content-types.js';
import type { Checked, Listed, ListPage, Meta } from './protocol-types.js';

/** What a tool says of itself. Hints, not promises: of a server that you do not trust, nothing. */
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

/** An entry of `tools/list`. */
export interface Tool extends Listed {
  /** JSON Schema of the arguments. */
  inputSchema: {
    type: 'object';
    properties?: { [name: string]: unknown } | undefined;
    required?: string[] | undefined;
    [keyword: string]: unknown;
  };
  /** JSON Schema of `structuredContent`. */
  outputSchema?: { [keyword: string]: unknown } | undefined;
  annotations?: ToolAnnotations | undefined;
}

export interface ListToolsResult extends ListPage {
  tools: Tool[];
}

/** What a tool answered. */
export interface CallToolResult extends Checked {
  /** For the model. */
  content: ContentBlock[];
  /** For programs; fits the tool's `outputSchema`, if the server keeps its word. */
  structuredContent?: unknown;
  /** Whether the tool failed: `content` then says why, and the call has resolved all the same. */
  isError?: boolean | undefined;
  _meta?: Meta | undefined;
}
