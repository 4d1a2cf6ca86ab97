import type { ConsentAnswer, ConsentQuestion } from '@inpage-mcp/elements';
import type { Access } from '@inpage-mcp/runtime';
import { destinationOf, titleOf, type ModelSettings } from '../model/model-settings.js';

/** What the user has allowed the assistant. */
export interface Grant {
  /** All notes and files, also later ones; else only `notes`. */
  readonly everything: boolean;
  /** Addresses of notes. */
  readonly notes: readonly string[];
  /** Whether the user is asked before each change. */
  readonly ask: boolean;
}

/** A note that the user may choose. */
export interface Choice {
  readonly uri: string;
  readonly title: string;
  /** Whether it is chosen unless the user says otherwise. */
  readonly isSuggested: boolean;
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
  const suggested = choices.filter(({ isSuggested }) => isSuggested);
  const notes = {
    type: 'array',
    title: 'These notes',
    items: { anyOf: choices.map(({ uri, title }) => ({ const: uri, title })) },
    default: suggested.map(({ uri }) => uri),
  };
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
        ...(choices.length > 0 && { notes }),
        everything: {
          type: 'boolean',
          title: 'All notes and files, also later ones',
          default: false,
        },
        ask: { type: 'boolean', title: 'Ask me before each change', default: true },
      },
      required: ['everything', 'ask'],
    },
  };
}

export function grantIn({ content = {} }: ConsentAnswer): Grant {
  const { everything, notes, ask } = content;
  return {
    everything: everything === true,
    notes: Array.isArray(notes) ? notes.filter((one) => typeof one === 'string') : [],
    ask: ask !== false,
  };
}

export function accessOf({ everything, notes, ask }: Grant, hasModel: boolean): Access {
  return {
    read: everything ? ['note:///', 'file:///'] : [...notes],
    write: ask ? 'ask' : 'allow',
    tools: hasModel ? TOOLS_OF_MODEL : TOOLS,
    prompts: 'none',
  };
}

/** What it may do, in a sentence. */
export function grantInWords({ everything, notes, ask }: Grant): string {
  const read = everything ? 'all notes and files' : countOf(notes.length);
  const write = ask ? 'adds to notes when you agree' : 'adds to notes without asking';
  return `Reads ${read}; ${write}.`;
}

function countOf(count: number): string {
  if (count === 0) return 'nothing';
  return count === 1 ? 'one note' : `${count} notes`;
}
