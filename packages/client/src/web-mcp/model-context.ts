import type { ToolSchema } from '../tools/vendor-types.js';

/** What WebMCP takes as a tool (webmachinelearning.github.io/webmcp, June 2026). */
export interface WebMcpTool {
  /** 128 letters, digits, `_`, `-` and `.` at most; unique in the document. */
  name: string;
  /** For people. */
  title?: string;
  /** Not empty. */
  description: string;
  /** Of the arguments. */
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
   * Rejects with a `DOMException` if the document already has a tool of this name, or may have no tools
   * (permissions policy `tools`).
   */
  registerTool(
    tool: WebMcpTool,
    options: { signal: AbortSignal; exposedTo?: string[] },
  ): Promise<void>;
}

/**
 * What the browser has. It is on the document in the draft of June 2026 and in Chromium 156; drafts before
 * that, and what scripts add to browsers without it, have it on `navigator`.
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
