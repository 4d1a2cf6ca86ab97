import type {
  GetPromptResult,
  ListPromptsResult,
  ListResourcesResult,
  ListResourceTemplatesResult,
  ListToolsResult,
  Prompt,
  PromptArgument,
  PromptMessage,
  ReadResourceResult,
  Resource,
  ResourceContents,
  ResourceTemplate,
} from '@inpage-mcp/client';

/*
 * The elements take any client, also one that checks nothing. What they show is of the type that it
 * says: an object in the place of a text could be taken for a template.
 */

export type Fields = { readonly [name: string]: unknown };

/** One page of a list, as far as it can be shown. */
export interface UsablePage {
  resources: readonly Resource[];
  nextCursor: string | undefined;
  /** How many entries cannot be shown. */
  unusable: number;
}

/** @throws {Error} where there is no list. */
export function usablePage(result: ListResourcesResult): UsablePage {
  const { resources, nextCursor, unusable } = fieldsOf(result);
  const [usable, lost] = usableEntries(resources, usableResource);
  return {
    resources: usable,
    nextCursor: textOf(nextCursor),
    unusable: (amountOf(unusable) ?? 0) + lost,
  };
}

/**
 * The contents that can be shown. Whether base64 is any is seen where it is decoded, in slices.
 *
 * @throws {Error} where nothing is left to show.
 */
export function usableReading(result: ReadResourceResult): ReadResourceResult {
  const { contents, unusable } = fieldsOf(result);
  const [usable, lost] = usableEntries(contents, usableContents);
  if (lost > 0 && usable.length === 0) throw unusableError();
  return { contents: usable, unusable: (amountOf(unusable) ?? 0) + lost };
}

/** A page of a list that is loaded as a whole. */
interface EntriesPage<Entry> {
  entries: readonly Entry[];
  nextCursor: string | undefined;
}

/** @throws {Error} where there is no list. */
export function usableTemplates(
  result: ListResourceTemplatesResult,
): EntriesPage<ResourceTemplate> {
  const { resourceTemplates, nextCursor } = fieldsOf(result);
  const [entries] = usableEntries(resourceTemplates, usableTemplate);
  return { entries, nextCursor: textOf(nextCursor) };
}

/**
 * The arguments of the prompts are not checked: see {@link usableArguments}.
 *
 * @throws {Error} where there is no list.
 */
export function usablePrompts(result: ListPromptsResult): EntriesPage<Prompt> {
  const { prompts, nextCursor } = fieldsOf(result);
  const [entries] = usableEntries(prompts, usablePrompt);
  return { entries, nextCursor: textOf(nextCursor) };
}

/**
 * Only the names of the tools.
 *
 * @throws {Error} where there is no list.
 */
export function usableToolNames(result: ListToolsResult): EntriesPage<{ name: string }> {
  const { tools, nextCursor } = fieldsOf(result);
  const [entries] = usableEntries(tools, ({ name }) =>
    typeof name === 'string' ? { name } : undefined,
  );
  return { entries, nextCursor: textOf(nextCursor) };
}

/** How many arguments of a prompt are shown. */
const MAX_ARGUMENTS = 100;

/** The arguments of a prompt that can be shown, each name once. */
export function usableArguments(prompt: Prompt): readonly PromptArgument[] {
  const sent: unknown = prompt.arguments;
  const entries = Array.isArray(sent) ? (sent as unknown[]).slice(0, MAX_ARGUMENTS) : [];
  const usable = Object.values(entries).flatMap((entry) => usableArgument(fieldsOf(entry)) ?? []);
  return [...new Map(usable.map((argument) => [argument.name, argument])).values()];
}

/**
 * The messages that can be shown.
 *
 * @throws {Error} where nothing is left to show.
 */
export function usableMessages(result: GetPromptResult): {
  messages: readonly PromptMessage[];
  unusable: number;
} {
  const { messages, unusable } = fieldsOf(result);
  const [usable, lost] = usableEntries(messages, usableMessage);
  if (lost > 0 && usable.length === 0) throw unusableError();
  return { messages: usable, unusable: (amountOf(unusable) ?? 0) + lost };
}

/** How many entries of an answer are looked at, as in the client: others may deliver more. */
const MAX_ENTRIES = 10_000;

/**
 * The entries that can be shown, and how many cannot: they are none, or too many. The one gate for
 * what a server sends as a list.
 *
 * @throws {Error} where there is no list.
 */
export function usableEntries<Entry>(
  entries: unknown,
  check: (entry: Fields) => Entry | undefined,
): [usable: Entry[], lost: number] {
  if (!Array.isArray(entries)) throw unusableError();
  // Not its holes, of which there may be billions.
  const all = Object.values(entries as unknown[]);
  const usable = all
    .slice(0, MAX_ENTRIES)
    .map((entry) => check(fieldsOf(entry)))
    .filter((entry) => entry !== undefined);
  return [usable, all.length - usable.length];
}

function usableResource(fields: Fields): Resource | undefined {
  const { uri, name, title, mimeType, size, annotations } = fields;
  if (typeof uri !== 'string' || typeof name !== 'string') return undefined;
  return {
    ...fields,
    uri,
    name,
    title: textOf(title),
    mimeType: textOf(mimeType),
    size: amountOf(size),
    annotations: {
      ...fieldsOf(annotations),
      lastModified: textOf(fieldsOf(annotations)['lastModified']),
    },
  };
}

function usableTemplate(fields: Fields): ResourceTemplate | undefined {
  const { uriTemplate, name, title, description, mimeType } = fields;
  if (typeof uriTemplate !== 'string' || typeof name !== 'string') return undefined;
  const texts = { title: textOf(title), description: textOf(description) };
  return { uriTemplate, name, ...texts, mimeType: textOf(mimeType) };
}

function usablePrompt(fields: Fields): Prompt | undefined {
  const { name, title, description } = fields;
  if (typeof name !== 'string') return undefined;
  return { ...fields, name, title: textOf(title), description: textOf(description) };
}

function usableArgument(fields: Fields): PromptArgument | undefined {
  const { name, title, description, required } = fields;
  if (typeof name !== 'string') return undefined;
  const texts = { title: textOf(title), description: textOf(description) };
  return { name, ...texts, required: required === true };
}

function usableMessage(fields: Fields): PromptMessage | undefined {
  const { role, content } = fields;
  if (role !== 'user' && role !== 'assistant') return undefined;
  const block = fieldsOf(content);
  const { text, data, mimeType, uri, name, title } = block;
  switch (block['type']) {
    case 'text':
      return typeof text === 'string' ? { role, content: { type: 'text', text } } : undefined;
    case 'image':
    case 'audio':
      if (typeof data !== 'string' || typeof mimeType !== 'string') return undefined;
      return { role, content: { type: block['type'], data, mimeType } };
    case 'resource_link':
      if (typeof uri !== 'string' || typeof name !== 'string') return undefined;
      return { role, content: { type: 'resource_link', uri, name, title: textOf(title) } };
    case 'resource': {
      const resource = usableContents(fieldsOf(block['resource']));
      return resource && { role, content: { type: 'resource', resource } };
    }
    default:
      return undefined;
  }
}

function usableContents(fields: Fields): ResourceContents | undefined {
  const { uri, mimeType, text, blob, _meta } = fields;
  if (typeof uri !== 'string') return undefined;
  // Whoever uses a part of `_meta` checks that part.
  const shared = { uri, mimeType: textOf(mimeType), _meta: fieldsOf(_meta) };
  if (typeof text === 'string') return { ...shared, text };
  return typeof blob === 'string' ? { ...shared, blob } : undefined;
}

/** The members of a value that may be anything; none if it is not an object. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/** The value if it is a string. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The value if it is a number from 0 on. */
export function amountOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function unusableError(): Error {
  return new Error('The server has answered with nothing that can be shown.');
}
