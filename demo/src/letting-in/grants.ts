import type { ConsentQuestion } from '@inpage-mcp/elements';
import type { Access, Runtime } from '@inpage-mcp/runtime';
import { seedTitles } from '../data/sample-notes.js';
import { consentDialog } from './ask-consent.js';

/** What the user has allowed a client. */
export interface Grant {
  /** All notes and files, including new ones; else only `notes`. */
  readonly everything: boolean;
  /** Addresses of notes. */
  readonly notes: readonly string[];
  /** Whether the user is asked before each change. */
  readonly ask: boolean;
}

/** How many of the newest notes the user may choose one by one. */
const MAX_CHOICES = 30;

/**
 * Asks what a client may do; undefined if it is not let in.
 *
 * @param question Who wants in, and in which words that is asked.
 */
export async function askForGrant(
  runtime: Runtime,
  question: ConsentQuestion,
  signal: AbortSignal,
): Promise<Grant | undefined> {
  const { notes } = await runtime.notes.list({ limit: MAX_CHOICES });
  const choices = {
    type: 'array',
    title: 'These notes',
    items: {
      anyOf: notes.map((note) => ({ const: uriOf(note), title: note.title || 'Untitled note' })),
    },
    // Those of the user are not given away by a click too many.
    default: notes.filter(({ title }) => seedTitles.includes(title)).map(uriOf),
  };
  const everything = {
    type: 'boolean',
    title: 'All notes and files, including new ones',
    default: false,
  };
  const ask = { type: 'boolean', title: 'Ask me before each change', default: true };
  const properties = { ...(notes.length > 0 && { notes: choices }), everything, ask };
  const requestedSchema = { type: 'object', properties, required: ['everything', 'ask'] };
  const dialog = await consentDialog();
  const answer = await dialog.ask({ ...question, requestedSchema, lasting: false }, { signal });
  if (answer.decision !== 'once') return undefined;
  const { content = {} } = answer;
  const chosen = Array.isArray(content['notes']) ? content['notes'] : [];
  return {
    everything: content['everything'] === true,
    notes: chosen.filter((one) => typeof one === 'string'),
    ask: content['ask'] !== false,
  };
}

const uriOf = ({ id }: { id: string }): string => `note:///${id}`;

/** What the server lets a client do. */
export function accessOf(grant: Grant, tools: Access['tools'], prompts: Access['prompts']): Access {
  const read = grant.everything ? ['note:///', 'file:///'] : [...grant.notes];
  return { read, write: grant.ask ? 'ask' : 'allow', tools, prompts };
}

export const NO_ACCESS: Access = { read: [], write: 'deny', tools: 'none', prompts: 'none' };

/** What it may do, in a sentence. */
export function grantInWords({ everything, notes, ask }: Grant): string {
  const count = notes.length === 1 ? 'one note' : `${notes.length} notes`;
  const readable = everything ? 'all notes and files' : notes.length === 0 ? 'nothing' : count;
  return `Reads ${readable}; ${ask ? 'asks before each change' : 'changes it without asking'}.`;
}
