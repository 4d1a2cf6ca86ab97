import { parseResourceUri } from '../resources/resource-uris.js';
import { searchFiles } from './file-search-tool.js';
import { searchNotes } from './note-search-tool.js';

/** Whether a request may read everything that is stored, and delay the disk access of others. */
export function isHeavy(method: string, params: { [key: string]: unknown } | undefined): boolean {
  switch (method) {
    case 'prompts/get':
    case 'completion/complete':
      return true;
    case 'tools/call':
      return (
        SEARCHING_TOOLS.includes(params?.['name']) || hasSeveralContents(argumentsOf(params)['uri'])
      );
    case 'resources/read':
      return hasSeveralContents(params?.['uri']);
    default:
      return false;
  }
}

const SEARCHING_TOOLS: readonly unknown[] = [searchNotes.name, searchFiles.name];

/** A search reads everything, and a folder up to 100 files; an app's own uris do neither. */
function hasSeveralContents(uri: unknown): boolean {
  const kind = typeof uri === 'string' ? parseResourceUri(uri)?.kind : undefined;
  return kind === 'search' || kind === 'folder';
}

function argumentsOf(params: { [key: string]: unknown } | undefined): { [key: string]: unknown } {
  const args = params?.['arguments'];
  return typeof args === 'object' && args !== null ? (args as { [key: string]: unknown }) : {};
}
