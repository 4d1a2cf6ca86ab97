import type { ConsentAnswer, ConsentQuestion } from '@inpage-mcp/elements';
import type { Access } from '@inpage-mcp/runtime';
import { destinationOf, titleOf, type ModelSettings } from '../model/model-settings.js';
import {
  readableFields,
  readableIn,
  readableInWords,
  readAccess,
  type Choice,
  type Readable,
} from './readable.js';

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
