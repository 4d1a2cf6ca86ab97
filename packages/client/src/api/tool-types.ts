import type { ContentBlock, Listed, Meta, ToolAnnotations } from '@inpage-mcp/protocol/types';
import type { Checked, ListPage } from './protocol-types.js';

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
