import type { ToolSchema } from '../tools/vendor-types.js';

/** A tool in the form that WebMCP accepts (webmachinelearning.github.io/webmcp, June 2026). */
export interface WebMcpTool {
  /** The name: at most 128 letters, digits, `_`, `-` and `.`; unique in the document. */
  name: string;
  /** The name for the user. */
  title?: string;
  /** The description; not empty. */
  description: string;
  /** The schema of the arguments. */
  inputSchema: ToolSchema;
  /** Hints for the agent. */
  annotations: { readOnlyHint: boolean; untrustedContentHint: boolean };
  /**
   * @param options Chromium adds a signal that aborts when the agent no longer waits for the answer; the
   *   draft does not have it yet.
   */
  execute: (input: object, options?: { signal?: AbortSignal }) => Promise<string>;
}

/** The part of WebMCP's `ModelContext` that this package uses. */
export interface ModelContext {
  /**
   * Registers a tool. Rejects with a `DOMException` if the document already has a tool of this name, or may
   * have no tools (permissions policy `tools`).
   */
  registerTool(
    tool: WebMcpTool,
    options: { signal: AbortSignal; exposedTo?: string[] },
  ): Promise<void>;
}

/**
 * The model context of the browser. In the draft of June 2026 and in Chromium 156, it is on the document; in
 * older drafts and in polyfills, it is on `navigator`.
 */
export function modelContextOfPage(): ModelContext | undefined {
  // A worker has no document.
  const places: unknown[] = [globalThis.document, globalThis.navigator];
  return places
    .map((place) => (place as { modelContext?: unknown } | undefined)?.modelContext)
    .find(isContext);
}

const isContext = (value: unknown): value is ModelContext =>
  typeof value === 'object' && value !== null && 'registerTool' in value;
