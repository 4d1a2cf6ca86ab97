import type { ConsentQuestion } from '@inpage-mcp/elements';
import { truncateText } from '@inpage-mcp/elements/classes';
import type { Access, Runtime } from '@inpage-mcp/runtime';
import { mountOf } from '../addresses/addresses.js';
import { openToGuests } from '../data/folders.js';
import { seedTitles } from '../data/sample-notes.js';
import { consentDialog } from './ask-consent.js';

/** The grant of the user to a client. */
export interface Grant {
  /** Whether it has all notes and files, including new ones; otherwise it has only `notes`. */
  readonly everything: boolean;
  /** The addresses of notes. */
  readonly notes: readonly string[];
  /** The addresses of folders of the disk that are open to guests. Absent in the data of an older page. */
  readonly folders?: readonly string[];
  /** Whether the user is asked before each change. */
  readonly ask: boolean;
}

/** The maximum number of the newest notes that the user may choose one by one. */
const MAX_CHOICES = 30;

/**
 * Asks for the access of a client; resolves with undefined if it is not let in.
 *
 * @param question The client that wants in, and the texts of the question.
 * @param before Its current access. Default: none, so that some of the notes are proposed.
 */
export async function askForGrant(
  runtime: Runtime,
  question: ConsentQuestion,
  signal: AbortSignal,
  before?: Grant,
): Promise<Grant | undefined> {
  const { notes } = await runtime.notes.list({ limit: MAX_CHOICES });
  const isProposed = (note: { id: string; title: string }): boolean =>
    before ? before.notes.includes(uriOf(note)) : seedTitles.includes(note.title);
  const choices = {
    type: 'array',
    title: 'These notes',
    items: { anyOf: notes.map((note) => ({ const: uriOf(note), title: nameOf(note) })) },
    // At first, the user's own notes are not proposed, so that one careless click does not give access to
    // them.
    default: notes.filter(isProposed).map(uriOf),
  };
  const mounts = await runtime.folders();
  const folders = {
    type: 'array',
    title: 'These folders of the disk',
    items: { anyOf: mounts.map(({ uri, name }) => ({ const: uri, title: name })) },
    default: mounts.map(({ uri }) => uri).filter((uri) => before?.folders?.includes(uri)),
  };
  const everything = {
    type: 'boolean',
    title: 'All notes and files, including new ones',
    default: before?.everything ?? false,
  };
  const ask = { type: 'boolean', title: 'Ask me before each change', default: before?.ask ?? true };
  const properties = {
    ...(notes.length > 0 && { notes: choices }),
    ...(mounts.length > 0 && { folders }),
    everything,
    ask,
  };
  const requestedSchema = { type: 'object', properties, required: ['everything', 'ask'] };
  const dialog = await consentDialog();
  const answer = await dialog.ask({ ...question, requestedSchema, lasting: false }, { signal });
  if (answer.decision !== 'once') return undefined;
  const { content = {} } = answer;
  const chosen = stringsIn(content['folders']);
  const chosenFolders: string[] = [];
  for (const folder of mounts.filter(({ uri }) => chosen.includes(uri)))
    if (await openToGuests(runtime, folder)) chosenFolders.push(folder.uri);
  return {
    everything: content['everything'] === true,
    notes: stringsIn(content['notes']),
    folders: chosenFolders,
    ask: content['ask'] !== false,
  };
}

const stringsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

/**
 * The name of a note as a choice. A title in quotes cannot look like another choice, and the date
 * distinguishes notes with the same title.
 */
function nameOf({ title, updatedAt }: { title: string; updatedAt: number }): string {
  const date = new Date(updatedAt).toLocaleDateString(undefined, { dateStyle: 'medium' });
  return `“${truncateText(title, 60) || 'Untitled note'}”, changed ${date}`;
}

const uriOf = ({ id }: { id: string }): string => `note:///${id}`;

/** The access that a grant gives a client at the server. */
export function accessOf(grant: Grant, tools: Access['tools'], prompts: Access['prompts']): Access {
  const { everything, notes, folders = [] } = grant;
  const texts = everything ? ['note:///', 'file:///'] : notes;
  // The apps that show them contain no data of the user.
  const read = [...texts, ...folders, ...(texts.length > 0 ? ['ui://inpage/'] : [])];
  return { read, write: grant.ask ? 'ask' : 'allow', tools, prompts };
}

export const NO_ACCESS: Access = { read: [], write: 'deny', tools: 'none', prompts: 'none' };

/** The grant of a client, as a sentence. */
export function grantInWords({ everything, notes, folders = [], ask }: Grant): string {
  const count = notes.length === 1 ? 'one note' : `${notes.length} notes`;
  const readable = [
    everything ? 'all notes and files' : notes.length > 0 && count,
    ...folders.map((uri) => `the folder “${truncateText(mountOf(uri) ?? uri, 40)}”`),
  ];
  return `Reads ${readable.filter(Boolean).join(' and ') || 'nothing'}; ${ask ? 'asks before each change' : 'changes it without asking'}.`;
}
