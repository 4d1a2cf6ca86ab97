import { type McpClient, McpError, type Resource } from '@inpage-mcp/client';

/** What stands in the chat, from top to bottom. */
export type Line =
  /** What the user has asked for. */
  | { readonly by: 'user'; readonly text: string }
  /** What the assistant says in its own words. */
  | { readonly by: 'assistant'; readonly text: string }
  /** The words of a resource, as they were read. */
  | { readonly by: 'quote'; readonly title: string; readonly text: string }
  /** What it did over MCP. */
  | { readonly by: 'call'; readonly text: string };

/** Adds a line to the chat. */
export type Say = (line: Line) => void;

/** Words that are in most questions, and say nothing of what is asked for. */
const COMMON = new Set(
  (
    'what which when where does have about with from that this there their your mine the and for are ' +
    'was were can you please tell show read say says write wrote note notes file files list'
  ).split(' '),
);

/** How many lines of one text are quoted at most. */
const MAX_LINES = 5;

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

/** The user has as long as the server gives them to answer its question, in milliseconds. */
const ASKING_TIMEOUT_MS = 600_000;

/** How many resources it reads for one question, and how many it names in one answer. */
const MAX_READ = 20;
const MAX_NAMED = 8;

const LIST = /\b(what|which)\b.*\b(see|read|notes|files|resources)\b|^\s*list\b/i;
const ADD = /^\s*(?:please\s+)?(?:add|append|write|put)\s+(.+)\s+(?:to|on|onto)\s+(.+?)[\s.!?]*$/i;

/**
 * Answers by a script, without a model: it lists, quotes and adds, by what the words of the question
 * have in common with what it may read. All that it says of a note are the words of the note.
 */
export async function reply(question: string, client: McpClient, say: Say): Promise<void> {
  const [, words, target] = ADD.exec(question) ?? [];
  if (words !== undefined && target !== undefined) return await add(words, target, client, say);
  const resources = await listAll(client);
  if (LIST.test(question)) return tellList(resources, say);
  await quote(question, resources, client, say);
}

/** What it may read; resources about the page itself are not texts of the user. */
export async function listAll(client: McpClient): Promise<Resource[]> {
  const all: Resource[] = [];
  for await (const page of client.resources()) all.push(...page);
  return all.filter(({ uri }) => /^(note|file):/.test(uri));
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
    // Whoever names a note wants to know what is in it.
    const shown = named.includes(resource) && lines.length < 2 ? text.trim() : lines.join('\n');
    if (shown === '') continue;
    say({ by: 'quote', title: titleOf(resource), text: shown.slice(0, 1_000) });
    quoted += 1;
    if (named.length > 0 && quoted === named.length) return;
  }
  if (quoted === 0)
    say({ by: 'assistant', text: 'Nothing that I may read has these words. I only quote.' });
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
  const id = note.uri.slice('note:///'.length);
  const options = { timeoutMs: ASKING_TIMEOUT_MS };
  const { isError } = await client.callTool('append_to_note', { id, text }, options);
  const outcome = isError ? 'You said no: nothing was changed.' : `Added to “${titleOf(note)}”.`;
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

/** Why a request has failed, for the chat. */
export function failureInWords(error: unknown): string {
  if (error instanceof McpError) return `The page has refused this: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}
