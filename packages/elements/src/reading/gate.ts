import type {
  ContentBlock,
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
 * The gate that every answer of a server passes before an element sees it. The elements accept any client,
 * also one that checks nothing, and an object instead of a text could be mistaken for a template. Behind the
 * gate every field has the type that it declares, so that no further checks are needed.
 *
 * For another kind of answer, pass its list to `usableEntries()` with a check. The check gets the fields of
 * an entry, and returns the part that can be shown, or `undefined`. It reads each field by `textOf()`,
 * `amountOf()` or `fieldsOf()`.
 *
 * Long texts pass, because they are data. The code that shows them cuts them: `truncateText()` in one line,
 * `LongText` and the portions of the view in full.
 */

export type Fields = { readonly [name: string]: unknown };

/** The members of a value that may be anything; none if it is not an object. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/** The code of a failure, such as `conflict` or −32602; `undefined` without one. */
export function codeOf(error: unknown): unknown {
  return fieldsOf(error)['code'];
}

/**
 * Whether a failure means that the server does not know the method of a list. The server has no such list
 * then, although it has declared the capability, which also includes other methods.
 */
export const isUnknownMethod = (error: unknown): boolean => codeOf(error) === -32601;

/** Whether a failure means that the server has no such resource, or not for this client. */
export function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === -32602 || code === -32002;
}

/** The value if it is a string. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The value if it is a number of at least 0. */
export function amountOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/**
 * The maximum number of entries of an answer that are read. It is the same as in the client, but other
 * clients may deliver more.
 */
const MAX_ENTRIES = 10_000;

/**
 * The entries of a list that can be shown, and the number of those that cannot, because they are invalid, or
 * too many.
 *
 * @throws {Error} if the value is not a list.
 */
export function usableEntries<Entry>(
  entries: unknown,
  check: (entry: Fields) => Entry | undefined,
): [usable: Entry[], lost: number] {
  if (!Array.isArray(entries)) throw unusableError();
  // The holes of the array are skipped, because it may have billions of them.
  const all = Object.values(entries as unknown[]);
  const usable = all
    .slice(0, MAX_ENTRIES)
    .map((entry) => check(fieldsOf(entry)))
    .filter((entry) => entry !== undefined);
  return [usable, all.length - usable.length];
}

/** The valid entries of a list that must have at least one left. Throws if all of them were lost. */
function usableParts<Entry>(
  entries: unknown,
  unusable: unknown,
  check: (entry: Fields) => Entry | undefined,
): { entries: Entry[]; unusable: number } {
  const [usable, lost] = usableEntries(entries, check);
  if (lost > 0 && usable.length === 0) throw unusableError();
  return { entries: usable, unusable: (amountOf(unusable) ?? 0) + lost };
}

/** One page of a list, with the entries that can be shown. */
export interface UsablePage {
  resources: readonly Resource[];
  nextCursor: string | undefined;
  /** The number of entries that cannot be shown. */
  unusable: number;
}

/**
 * The resources of a page that can be shown.
 *
 * @throws {Error} if the answer has no list.
 */
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
 * The contents that can be shown. Base64 is checked only when it is decoded, in slices.
 *
 * @throws {Error} if no content is left to show.
 */
export function usableReading(result: ReadResourceResult): ReadResourceResult {
  const { contents, unusable } = fieldsOf(result);
  const parts = usableParts(contents, unusable, usableContents);
  return { contents: parts.entries, unusable: parts.unusable };
}

/** A page of a list that is loaded as a whole. */
interface EntriesPage<Entry> {
  entries: readonly Entry[];
  nextCursor: string | undefined;
}

function entriesPage<Entry>(
  entries: unknown,
  nextCursor: unknown,
  check: (entry: Fields) => Entry | undefined,
): EntriesPage<Entry> {
  return { entries: usableEntries(entries, check)[0], nextCursor: textOf(nextCursor) };
}

/**
 * The templates of a page that can be shown.
 *
 * @throws {Error} if the answer has no list.
 */
export function usableTemplates(
  result: ListResourceTemplatesResult,
): EntriesPage<ResourceTemplate> {
  const { resourceTemplates, nextCursor } = fieldsOf(result);
  return entriesPage(resourceTemplates, nextCursor, (fields) => {
    const { uriTemplate, mimeType } = fields;
    const named = namesIn(fields);
    if (!named || typeof uriTemplate !== 'string') return undefined;
    return { ...named, uriTemplate, mimeType: textOf(mimeType) };
  });
}

/**
 * The prompts of a page that can be shown. Their arguments are not checked: see {@link usableArguments}.
 *
 * @throws {Error} if the answer has no list.
 */
export function usablePrompts(result: ListPromptsResult): EntriesPage<Prompt> {
  const { prompts, nextCursor } = fieldsOf(result);
  return entriesPage(prompts, nextCursor, (fields) => {
    const named = namesIn(fields);
    return named && { ...fields, ...named };
  });
}

/**
 * The names of the tools of a page.
 *
 * @throws {Error} if the answer has no list.
 */
export function usableToolNames(result: ListToolsResult): EntriesPage<{ name: string }> {
  const { tools, nextCursor } = fieldsOf(result);
  return entriesPage(tools, nextCursor, namesIn);
}

/** The maximum number of arguments of a prompt that are shown. */
const MAX_ARGUMENTS = 100;

/** The arguments of a prompt that can be shown, each name once. */
export function usableArguments(prompt: Prompt): readonly PromptArgument[] {
  const sent: unknown = prompt.arguments;
  const first = Array.isArray(sent) ? (sent as unknown[]).slice(0, MAX_ARGUMENTS) : [];
  const [usable] = usableEntries(first, (fields) => {
    const named = namesIn(fields);
    return named && { ...named, required: fields['required'] === true };
  });
  return [...new Map(usable.map((argument) => [argument.name, argument])).values()];
}

/**
 * The messages that can be shown.
 *
 * @throws {Error} if no message is left to show.
 */
export function usableMessages(result: GetPromptResult): {
  messages: readonly PromptMessage[];
  unusable: number;
} {
  const { messages, unusable } = fieldsOf(result);
  const parts = usableParts(messages, unusable, usableMessage);
  return { messages: parts.entries, unusable: parts.unusable };
}

interface Named {
  name: string;
  title: string | undefined;
  description: string | undefined;
}

/** The texts that most entries have as names; `undefined` without a name. */
function namesIn({ name, title, description }: Fields): Named | undefined {
  if (typeof name !== 'string') return undefined;
  return { name, title: textOf(title), description: textOf(description) };
}

function usableResource(fields: Fields): Resource | undefined {
  const { uri, name, title, mimeType, size, annotations } = fields;
  if (typeof uri !== 'string' || typeof name !== 'string') return undefined;
  const known = fieldsOf(annotations);
  return {
    ...fields,
    uri,
    name,
    title: textOf(title),
    mimeType: textOf(mimeType),
    size: amountOf(size),
    annotations: { ...known, lastModified: textOf(known['lastModified']) },
  };
}

function usableMessage({ role, content }: Fields): PromptMessage | undefined {
  if (role !== 'user' && role !== 'assistant') return undefined;
  const block = usableBlock(fieldsOf(content));
  return block && { role, content: block };
}

/** A content block of a message or a result; `undefined` for one that cannot be shown. */
export function usableBlock(fields: Fields): ContentBlock | undefined {
  const { type, text, data, uri, name } = fields;
  switch (type) {
    case 'text':
      return typeof text === 'string' ? { type, text } : undefined;
    case 'image':
    case 'audio':
      if (typeof data !== 'string') return undefined;
      return { type, data, mimeType: textOf(fields['mimeType']) ?? '' };
    case 'resource_link': {
      const link = usableResource({ ...fields, name: textOf(name) ?? uri });
      return link && { ...link, description: textOf(link.description), type };
    }
    case 'resource': {
      const resource = usableContents(fieldsOf(fields['resource']));
      return resource && { type, resource };
    }
    default:
      return undefined;
  }
}

function usableContents(fields: Fields): ResourceContents | undefined {
  const { uri, mimeType, text, blob, _meta } = fields;
  if (typeof uri !== 'string') return undefined;
  // The code that uses a part of `_meta` checks that part.
  const shared = { uri, mimeType: textOf(mimeType), _meta: fieldsOf(_meta) };
  if (typeof text === 'string') return { ...shared, text };
  return typeof blob === 'string' ? { ...shared, blob } : undefined;
}

function unusableError(): Error {
  return new Error('The server has answered with nothing that can be shown.');
}
