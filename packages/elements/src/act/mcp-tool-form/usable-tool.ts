import type { ListToolsResult, ToolAnnotations } from '@inpage-mcp/client';
import { writeJson } from '../../base/text/json-text.js';
import { truncateText } from '../../base/text/truncate-text.js';

/** A tool as it can be shown: a client that checks nothing may deliver anything. */
export interface UsableTool {
  /** Exactly as the server has it. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  readonly description: string;
  readonly inputSchema: unknown;
  readonly annotations: ToolAnnotations;
  /** Whether it can only be called as a task, which nothing here can do (decision 54). */
  readonly needsTask: boolean;
}

/** Tools with longer names are not shown. */
const MAX_NAME_LENGTH = 1_000;

/** More entries of a page are not looked at. */
const MAX_ENTRIES = 1_000;

/** How much of a tool is compared. */
const MAX_VERSION_LENGTH = 65_536;

type Fields = { readonly [name: string]: unknown };

/** The tools of a page of a list, and how many entries are none. */
export function usableTools(result: ListToolsResult): {
  tools: readonly UsableTool[];
  nextCursor: string | undefined;
  unusable: number;
} {
  const { tools, nextCursor, unusable } = fieldsOf(result);
  if (!Array.isArray(tools)) throw new Error('The server has answered without a list of tools.');
  // Not its holes, of which there may be billions.
  const all = Object.values(tools as unknown[]);
  const first = all.slice(0, MAX_ENTRIES);
  const usable = first
    .map((tool) => usableTool(fieldsOf(tool)))
    .filter((tool) => tool !== undefined);
  const omitted = typeof unusable === 'number' && unusable > 0 ? unusable : 0;
  return {
    tools: usable,
    nextCursor: typeof nextCursor === 'string' ? nextCursor : undefined,
    unusable: omitted + all.length - usable.length,
  };
}

function usableTool(tool: Fields): UsableTool | undefined {
  const { name, inputSchema } = tool;
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME_LENGTH) return undefined;
  const annotations = annotationsOf(fieldsOf(tool['annotations']));
  const title = textOf(tool['title'], 200) || annotations.title || truncateText(name);
  const description = textOf(tool['description'], 2_000);
  const needsTask = fieldsOf(tool['execution'])['taskSupport'] === 'required';
  return { name, title, description, inputSchema, annotations, needsTask };
}

/** Whether the user has nothing to look at again: neither the values nor the words are others. */
export function isSameTool(one: UsableTool | undefined, other: UsableTool | undefined): boolean {
  return one === other || (!!one && !!other && versionOf(one) === versionOf(other));
}

function versionOf(tool: UsableTool): string {
  return writeJson(tool, MAX_VERSION_LENGTH, 0).text;
}

function annotationsOf(annotations: Fields): ToolAnnotations {
  const hint = (name: string): boolean | undefined => {
    const value = annotations[name];
    return typeof value === 'boolean' ? value : undefined;
  };
  return {
    title: textOf(annotations['title'], 200),
    readOnlyHint: hint('readOnlyHint'),
    destructiveHint: hint('destructiveHint'),
    idempotentHint: hint('idempotentHint'),
    openWorldHint: hint('openWorldHint'),
  };
}

function textOf(value: unknown, maxLength: number): string {
  return truncateText(value as string, maxLength).trim();
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}
