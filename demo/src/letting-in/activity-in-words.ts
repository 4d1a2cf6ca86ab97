import { truncateText } from '@inpage-mcp/elements/classes';
import type { ActivityEntry } from '@inpage-mcp/runtime';

/** The words for an outcome, behind the request; success needs no word. */
const OUTCOMES: { [outcome in ActivityEntry['outcome']]: string } = {
  ok: '',
  failed: ' · failed, or you said no',
  asked: ' · asks first',
  refused: ' · refused',
  denied: ' · not allowed',
  cancelled: ' · cancelled',
};

/** The tools that a client of this page may be given. */
const TOOLS: { [name: string]: string } = {
  append_to_note: 'Added to a note',
  create_note: 'Wrote a note',
  delete_file: 'Deleted a file',
  delete_note: 'Deleted a note',
  list_resources: 'Listed what it may read',
  move_file: 'Moved a file',
  read_resource: 'Read something by a tool',
  save_file: 'Saved a file',
  search_files: 'Searched the files that it may read',
  search_notes: 'Searched the notes that it may read',
  update_note: 'Changed a note',
};

/**
 * A request of a client, in words.
 *
 * @param titleOf The title of a resource, if it is known.
 */
export function activityInWords(
  { method, uri, name, outcome }: ActivityEntry,
  titleOf: (uri: string) => string | undefined,
): string {
  return `${requestInWords(method, uri && truncateText(titleOf(uri) ?? uri), name)}${OUTCOMES[outcome]}`;
}

function requestInWords(method: string, resource = '', name = ''): string {
  switch (method) {
    case 'resources/read':
      return `Read “${resource}”`;
    case 'tools/call':
      return TOOLS[name] ?? `Called ${truncateText(name)}`;
    case 'prompts/get':
      return `Used the prompt ${truncateText(name)}`;
    default:
      return method;
  }
}
