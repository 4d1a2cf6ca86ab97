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
  /** Whether the tool can, or must, run as a task: this client calls tools without one. */
  execution?: { taskSupport?: 'forbidden' | 'optional' | 'required' | undefined } | undefined;
  /** Hints about what the tool does. Do not rely on them if you do not trust the server. */
  annotations?: ToolAnnotations | undefined;
}

/** The answer to `tools/list`. */
export interface ListToolsResult extends ListPage {
  /** The valid entries of the page. */
  tools: Tool[];
}

/** The answer of a tool. */
export interface CallToolResult extends Checked {
  /** The content for the model. */
  content: ContentBlock[];
  /**
   * The content for programs. It should match the tool's `outputSchema`, but the client does not check that.
   */
  structuredContent?: unknown;
  /** Whether the tool failed. The call resolves nevertheless, and `content` contains the reason. */
  isError?: boolean | undefined;
  /** Further data. */
  _meta?: Meta | undefined;
}
