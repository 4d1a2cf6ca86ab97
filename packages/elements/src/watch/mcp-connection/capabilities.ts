import { msg } from '@lit/localize';
import { isolate } from '../../base/text/format.js';
import { nameOfCapability } from '../../reading/declared.js';
import { fieldsOf, type Fields } from '../../reading/gate.js';
import { truncateText } from '../../base/text/truncate-text.js';

/** A capability of a server for people. */
export interface CapabilityWords {
  name: string;
  /** Its meanings, one sentence each. */
  meanings: readonly string[];
}

/** More capabilities are not shown: a server may declare any number. */
const MAX_CAPABILITIES = 50;

/** The capabilities that a server declares, in words; those with unknown names by their names. */
export function capabilitiesInWords(capabilities: unknown): CapabilityWords[] {
  const words: CapabilityWords[] = [];
  for (const name in fieldsOf(capabilities)) {
    if (words.length === MAX_CAPABILITIES) break;
    const declared = fieldsOf(capabilities)[name];
    if (declared === undefined || declared === null || declared === false) continue;
    words.push(describe(name, fieldsOf(declared)));
  }
  return words;
}

function describe(name: string, declared: Fields): CapabilityWords {
  switch (name) {
    case 'resources':
      return resources(declared);
    case 'tools':
      return tools(declared);
    case 'prompts':
      return prompts(declared);
    case 'completions':
      return {
        name: msg('Completion', { id: 'mcp.connection.completions' }),
        meanings: [msg('Values are suggested while you type.', { id: 'mcp.connection.completes' })],
      };
    case 'logging':
      return {
        name: msg('Log messages', { id: 'mcp.connection.logging' }),
        meanings: [msg('The server reports what it does.', { id: 'mcp.connection.logs' })],
      };
    case 'extensions':
    case 'experimental':
      return extensions(declared);
    default:
      return { name: shown(name), meanings: [] };
  }
}

function resources({ subscribe, listChanged }: Fields): CapabilityWords {
  return {
    name: nameOfCapability('resources'),
    meanings: [
      msg('Can be listed and read.', { id: 'mcp.connection.read' }),
      ...(subscribe === true
        ? [msg('Changes of a resource are reported.', { id: 'mcp.connection.subscribe' })]
        : []),
      ...listChanges(listChanged),
    ],
  };
}

function tools({ listChanged }: Fields): CapabilityWords {
  return {
    name: nameOfCapability('tools'),
    meanings: [msg('Can be called.', { id: 'mcp.connection.call' }), ...listChanges(listChanged)],
  };
}

function prompts({ listChanged }: Fields): CapabilityWords {
  return {
    name: nameOfCapability('prompts'),
    meanings: [
      msg('Can be filled in.', { id: 'mcp.connection.fill' }),
      ...listChanges(listChanged),
    ],
  };
}

function listChanges(listChanged: unknown): string[] {
  if (listChanged !== true) return [];
  return [msg('Changes of the list are reported.', { id: 'mcp.connection.list-changed' })];
}

function extensions(declared: Fields): CapabilityWords {
  return {
    name: msg('Extensions', { id: 'mcp.connection.extensions' }),
    meanings: Object.keys(declared)
      .slice(0, MAX_CAPABILITIES)
      .map((name) => shown(name)),
  };
}

const shown = (name: string): string => isolate(truncateText(name, 100));
