import type { LogLevel } from '@inpage-mcp/protocol';
import type { Members } from './outline.js';

/** One request, as it is sent to either server. */
export interface RequestCase {
  method: string;
  params: unknown;
}

/** How much messages of the log matter, the least first. */
export const LEVELS: readonly LogLevel[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

/** A call of a tool. */
export const call = (name: unknown, args?: unknown, more: Members = {}): RequestCase => ({
  method: 'tools/call',
  params: { name, ...(args !== undefined && { arguments: args }), ...more },
});

/** What gets a prompt. */
export const prompt = (name: unknown, args?: unknown): RequestCase => ({
  method: 'prompts/get',
  params: { name, ...(args !== undefined && { arguments: args }) },
});

/** What reads a resource. */
export const read = (uri: unknown): RequestCase => ({ method: 'resources/read', params: { uri } });

/** Any request. */
export const plain = (method: string, params: unknown = {}): RequestCase => ({ method, params });

export const TEMPLATE_REF = { type: 'ref/resource', uri: 'twin:/items/{item}' };
export const PROMPT_REF = { type: 'ref/prompt', name: 'describe' };
export const ITEM = { name: 'item', value: 'item-1' };
export const ANIMAL = { name: 'animal', value: 'c' };

/** What completes an argument. */
export const complete = (ref: unknown, argument: unknown, context?: unknown): RequestCase => ({
  method: 'completion/complete',
  params: { ref, argument, ...(context !== undefined && { context }) },
});
