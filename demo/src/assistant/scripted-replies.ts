import {
  type CallToolResult,
  type ContentBlock,
  type McpClient,
  McpError,
  type Resource,
} from '@inpage-mcp/client';

/** The entries of the chat, from top to bottom. */
export type Line =
  /** The question of the user. */
  | { readonly by: 'user'; readonly text: string }
  /** An answer of the assistant. */
  | { readonly by: 'assistant'; readonly text: string }
  /** The text of a resource, as it was read. */
  | { readonly by: 'quote'; readonly title: string; readonly text: string }
  /** The app of a tool, with the result of the tool. */
  | { readonly by: 'app'; readonly call: ShownCall }
  /** A call of the assistant over MCP. */
  | { readonly by: 'call'; readonly text: string };

/** A finished call of a tool that has an app. */
export interface ShownCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly result: CallToolResult;
}

/** Adds a line to the chat. */
export type Say = (line: Line) => void;

/** The words that occur in most questions, and do not show the subject of the question. */
const COMMON = new Set(
  (
    'what which when where does have about with from that this there their your mine the and for are ' +
    'was were can you please tell show read say says write wrote note notes file files list'
  ).split(' '),
);

/** The maximum number of lines of one text that are quoted. */
const MAX_LINES = 5;

const MAX_QUOTED_LENGTH = 1_000;

const NOTE = 'note:///';

/** The words of a question by which a text may be found. */
function significantWords(question: string): string[] {
  const words = question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter(
    (word) => (word.length > 2 || /[^\0-\u02ff]/.test(word)) && !COMMON.has(word),
  );
}

/** The lines of a text with most of the words, in their order. */
function matchingLines(text: string, words: readonly string[]): string[] {
  const lines = text.split('\n').map((line, at) => {
    const lower = line.toLowerCase();
    return { line, at, score: words.filter((word) => lower.includes(word)).length };
  });
  const best = Math.max(...lines.map(({ score }) => score));
  if (best <= 0) return [];
  return lines
    .filter(({ score, line }) => score === best && line.trim() !== '')
    .slice(0, MAX_LINES)
    .map(({ line }) => line);
}

/** The timeout of a call in milliseconds. It is the time for which the server waits for its user's answer. */
const ASKING_TIMEOUT_MS = 600_000;

/** The maximum number of resources that it lists, because a folder of the disk may have any number. */
const MAX_LISTED = 2_000;

/** The maximum number of resources that it reads for one question, and that it names in one answer. */
const MAX_READ = 20;
const MAX_NAMED = 8;

const LIST = /\b(what|which)\b.*\b(see|read|notes|files|resources)\b|^\s*list\b/i;
const SHOW = /^\s*(?:please\s+)?show\b.*?\bnotes\b(?:\s+(?:about|on|with)\s+(.+?))?[\s.!?]*$/i;
const ADD = /^\s*(?:please\s+)?(?:add|append|write|put)\s+(.+)\s+(?:to|on|onto)\s+(.+?)[\s.!?]*$/i;

/**
 * Answers by a script, without a model. It lists, quotes and adds, depending on the words that the question
 * and the readable texts have in common. Its answers about a note contain only text of that note.
 */
export async function reply(question: string, client: McpClient, say: Say): Promise<void> {
  const [, words, target] = ADD.exec(question) ?? [];
  if (words !== undefined && target !== undefined) return await add(words, target, client, say);
  const [isShow, query] = SHOW.exec(question) ?? [];
  if (isShow !== undefined && (await showNotes(query, client, say))) return;
  const resources = await listAll(client);
  if (isShow !== undefined || LIST.test(question)) return tellList(resources, say);
  await quote(question, resources, client, say);
}

/** The resources that it may read, without those about the page itself, which are not texts of the user. */
export async function listAll(client: McpClient): Promise<Resource[]> {
  const all: Resource[] = [];
  for await (const page of client.resources()) {
    all.push(...page.filter(({ uri }) => /^(note|file|disk):/.test(uri)));
    if (all.length >= MAX_LISTED) break;
  }
  return all;
}

export const titleOf = ({ title, name }: Resource): string => title || name;

function tellList(resources: readonly Resource[], say: Say): void {
  if (resources.length === 0)
    return say({ by: 'assistant', text: 'Nothing: I was given no note.' });
  const named = resources.slice(0, MAX_NAMED).map((one) => `“${titleOf(one)}”`);
  const more = resources.length - named.length;
  const rest = more > 0 ? `, and ${more} more` : '';
  say({ by: 'assistant', text: `I may read ${named.join(', ')}${rest}.` });
}

/** Shows the app of the notes. Returns `false` if the page does not offer it, or not yet. */
async function showNotes(query: string | undefined, client: McpClient, say: Say): Promise<boolean> {
  const tool = 'show_notes';
  const { tools } = await client.listTools();
  if (!tools.some(({ name }) => name === tool)) return false;
  const args = query === undefined ? {} : { query: unquoted(query) };
  say({ by: 'call', text: `tools/call ${tool}` });
  const result = await client.callTool(tool, args);
  say({ by: 'app', call: { tool, arguments: args, result } });
  return true;
}

/** The notes that an app has put into the conversation. */
export const linkedNotes = (content: readonly ContentBlock[]): Resource[] =>
  content.filter((part) => part.type === 'resource_link').filter(({ uri }) => uri.startsWith(NOTE));

/** Quotes the beginning of each of these notes. */
export async function quoteAll(
  resources: readonly Resource[],
  client: McpClient,
  say: Say,
): Promise<void> {
  for (const one of resources.slice(0, MAX_READ)) {
    const text = await read(one, client, say);
    say({ by: 'quote', title: titleOf(one), text: text.trim().slice(0, MAX_QUOTED_LENGTH) });
  }
}

async function quote(
  question: string,
  resources: readonly Resource[],
  client: McpClient,
  say: Say,
): Promise<void> {
  const words = significantWords(question);
  const isNamed = (one: Resource): boolean => matchingLines(titleOf(one), words).length > 0;
  const named = resources.filter(isNamed);
  const candidates = [...named, ...resources.filter((one) => !isNamed(one))].filter(isText);
  let quoted = 0;
  for (const resource of candidates.slice(0, MAX_READ)) {
    const text = await read(resource, client, say);
    const lines = matchingLines(text, words);
    // A user who names a note wants to see its content.
    const shown = named.includes(resource) && lines.length < 2 ? text.trim() : lines.join('\n');
    if (shown === '') continue;
    say({ by: 'quote', title: titleOf(resource), text: shown.slice(0, MAX_QUOTED_LENGTH) });
    quoted += 1;
    if (named.length > 0 && quoted === named.length) return;
  }
  if (quoted === 0)
    say({
      by: 'assistant',
      text: 'None of the notes and files that I may read contain these words. I only quote.',
    });
}

const isText = ({ mimeType = '' }: Resource): boolean =>
  /^text\/|json|xml/.test(mimeType) && !/html/.test(mimeType);

async function read({ uri, ...one }: Resource, client: McpClient, say: Say): Promise<string> {
  say({ by: 'call', text: `resources/read “${one.title || one.name}”` });
  const { contents } = await client.readResource(uri);
  return contents.map((part) => ('text' in part ? part.text : '')).join('\n');
}

async function add(words: string, target: string, client: McpClient, say: Say): Promise<void> {
  const note = noteNamed(target, await listAll(client));
  if (!note) {
    say({ by: 'assistant', text: `I may read no note that is called “${target}”.` });
    return;
  }
  const text = `- [ ] ${unquoted(words)}`;
  say({ by: 'call', text: `tools/call append_to_note “${titleOf(note)}”` });
  say({
    by: 'assistant',
    text: 'I asked for your permission. The page shows exactly what I would add.',
  });
  const id = note.uri.slice(NOTE.length);
  const options = { timeoutMs: ASKING_TIMEOUT_MS };
  const { isError } = await client.callTool('append_to_note', { id, text }, options);
  const outcome = isError
    ? 'You said no: nothing was changed.'
    : `Added to “${titleOf(note)}”. You can undo it under Activity.`;
  say({ by: 'assistant', text: outcome });
}

/** The note with most of the words in its title. */
function noteNamed(target: string, resources: readonly Resource[]): Resource | undefined {
  const words = significantWords(target);
  const score = (one: Resource): number =>
    words.filter((word) => titleOf(one).toLowerCase().includes(word)).length;
  const notes = resources.filter(({ uri }) => uri.startsWith('note:'));
  const [best] = notes.toSorted((a, b) => score(b) - score(a));
  return best && score(best) > 0 ? best : undefined;
}

const unquoted = (words: string): string => words.replaceAll(/^["“'‘]|["”'’]$/g, '');

/** The reason why a request has failed, as a text for the chat. */
export function failureInWords(error: unknown): string {
  if (error instanceof McpError) return `The page has refused this: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}
