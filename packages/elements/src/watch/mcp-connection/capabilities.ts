import { msg } from '@lit/localize';
import { isolate } from '../../base/text/format.js';
import { nameOfCapability } from '../../reading/declared.js';
import { fieldsOf, type Fields } from '../../reading/gate.js';
import { truncateText } from '../../base/text/truncate-text.js';

/** A capability of a server for people. */
export interface CapabilityWords {
  name: string;
  /** The meanings of the capability, one sentence each. */
  meanings: readonly string[];
}

/** The maximum number of capabilities that are shown, because a server may declare any number. */
const MAX_CAPABILITIES = 50;

/** The texts for the capabilities that a server declares; unknown ones have their names. */
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
  const { subscribe, listChanged } = declared;
  const changes =
    listChanged === true
      ? [msg('Changes of the list are reported.', { id: 'mcp.connection.list-changed' })]
      : [];
  switch (name) {
    case 'resources': {
      const read = msg('Can be listed and read.', { id: 'mcp.connection.read' });
      const reported = msg('Changes of a resource are reported.', {
        id: 'mcp.connection.subscribe',
      });
      const meanings = subscribe === true ? [read, reported] : [read];
      return { name: nameOfCapability(name), meanings: [...meanings, ...changes] };
    }
    case 'tools': {
      const call = msg('Can be called.', { id: 'mcp.connection.call' });
      return { name: nameOfCapability(name), meanings: [call, ...changes] };
    }
    case 'prompts': {
      const fill = msg('Can be filled in.', { id: 'mcp.connection.fill' });
      return { name: nameOfCapability(name), meanings: [fill, ...changes] };
    }
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
      return {
        name: msg('Extensions', { id: 'mcp.connection.extensions' }),
        meanings: Object.keys(declared).slice(0, MAX_CAPABILITIES).map(shown),
      };
    default:
      return { name: shown(name), meanings: [] };
  }
}

const shown = (name: string): string => isolate(truncateText(name, 100));
