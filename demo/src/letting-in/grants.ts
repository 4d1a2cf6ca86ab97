import type { ConsentAnswer, ConsentQuestion } from '@inpage-mcp/elements';
import type { Access, Runtime } from '@inpage-mcp/runtime';
import { seedTitles } from '../data/sample-notes.js';
import { destinationOf, type ModelSettings, titleOf } from '../model/model-settings.js';

/** What the user has allowed a client to read. */
export interface Readable {
  /** All notes and files, including new ones; else only `notes`. */
  readonly everything: boolean;
  /** Addresses of notes. */
  readonly notes: readonly string[];
}

/** A note that the user may choose. */
export interface Choice {
  readonly uri: string;
  readonly title: string;
  /** Whether it is chosen unless the user says otherwise. */
  readonly isSuggested: boolean;
}

/** The fields of a question in which the user chooses what a client may read. */
export function readableFields(choices: readonly Choice[]): { [field: string]: object } {
  const notes = {
    type: 'array',
    title: 'These notes',
    items: { anyOf: choices.map(({ uri, title }) => ({ const: uri, title })) },
    default: choices.filter(({ isSuggested }) => isSuggested).map(({ uri }) => uri),
  };
  return {
    ...(choices.length > 0 && { notes }),
    everything: {
      type: 'boolean',
      title: 'All notes and files, including new ones',
      default: false,
    },
  };
}

/** What the user has chosen in these fields. */
export function readableIn({ content = {} }: ConsentAnswer): Readable {
  const { everything, notes } = content;
  return {
    everything: everything === true,
    notes: Array.isArray(notes) ? notes.filter((one) => typeof one === 'string') : [],
  };
}

/** The addresses that a client may read, for its `Access`. */
export const readAccess = ({ everything, notes }: Readable): string[] =>
  everything ? ['note:///', 'file:///'] : [...notes];

/** For example “all notes and files”, “one note”. */
export function readableInWords({ everything, notes }: Readable): string {
  if (everything) return 'all notes and files';
  if (notes.length === 0) return 'nothing';
  return notes.length === 1 ? 'one note' : `${notes.length} notes`;
}

/** How many of the newest notes the user may choose one by one. */
const MAX_CHOICES = 30;

/** The notes that the user may give to a client, the newest first. */
export async function choicesOf(runtime: Runtime): Promise<Choice[]> {
  const { notes } = await runtime.notes.list({ limit: MAX_CHOICES });
  return notes.map(({ id, title }) => ({
    uri: `note:///${id}`,
    title: title || 'Untitled note',
    // Those of the user are not given away by a click too many.
    isSuggested: seedTitles.includes(title),
  }));
}

/** What the user has allowed the assistant. */
export interface Grant extends Readable {
  /** Whether the user is asked before each change. */
  readonly ask: boolean;
}

/** Whatever an assistant may change, it changes by this: nothing of what is there can be lost. */
const TOOLS = ['append_to_note'];

/** A model can only call tools: by these it reads, and they give no more than the grant does. */
const TOOLS_OF_MODEL = [...TOOLS, 'list_resources', 'read_resource', 'search_notes'];

export const NO_ACCESS: Access = { read: [], write: 'deny', tools: 'none', prompts: 'none' };

/**
 * The question whether an assistant may come in, and what it may see.
 *
 * @param model Absent for the scripted assistant, which has no network.
 */
export function admissionQuestion(
  origin: string,
  choices: readonly Choice[],
  model?: ModelSettings,
): ConsentQuestion {
  return {
    origin,
    requester: model ? titleOf(model) : 'Scripted assistant',
    texts: { title: 'Let this assistant in?', yes: 'Let it in', no: 'Not now' },
    message:
      (model
        ? `What it reads, and what you ask it, will be sent to ${destinationOf(model)}. `
        : '') +
      'It wants to list and read what you choose here, and to add to notes. It is in a frame of its ' +
      'own, talks to the server in this tab over MCP, and sees nothing else. You can end this at any time.',
    requestedSchema: {
      type: 'object',
      properties: {
        ...readableFields(choices),
        ask: { type: 'boolean', title: 'Ask me before each change', default: true },
      },
      required: ['everything', 'ask'],
    },
  };
}

export const grantIn = (answer: ConsentAnswer): Grant => ({
  ...readableIn(answer),
  ask: answer.content?.['ask'] !== false,
});

export function accessOf(grant: Grant, hasModel: boolean): Access {
  return {
    read: readAccess(grant),
    write: grant.ask ? 'ask' : 'allow',
    tools: hasModel ? TOOLS_OF_MODEL : TOOLS,
    prompts: 'none',
  };
}

/** What it may do, in a sentence. */
export function grantInWords(grant: Grant): string {
  const write = grant.ask ? 'adds to notes when you agree' : 'adds to notes without asking';
  return `Reads ${readableInWords(grant)}; ${write}.`;
}
