import type { ActivityEntry } from '@inpage-mcp/runtime';

/** How an outcome is said, behind what was done; what went well needs no word. */
const OUTCOMES: { [outcome in ActivityEntry['outcome']]: string } = {
  ok: '',
  failed: ' · failed, or you said no',
  asked: ' · asks first',
  refused: ' · refused',
  denied: ' · not allowed',
  cancelled: ' · cancelled',
};

/** The tools that an assistant of this page is given. */
const TOOLS: { [name: string]: string } = {
  append_to_note: 'Added to a note',
  list_resources: 'Listed what it may read',
  read_resource: 'Read something by a tool',
  search_notes: 'Searched the notes that it may read',
};

/**
 * What a client has done, in words.
 *
 * @param titleOf The title of a resource, if it is known.
 */
export function deedInWords(
  { method, uri, name, outcome }: ActivityEntry,
  titleOf: (uri: string) => string | undefined,
): string {
  return `${whatWasDone(method, uri && (titleOf(uri) ?? uri), name)}${OUTCOMES[outcome]}`;
}

function whatWasDone(method: string, resource = '', name = ''): string {
  switch (method) {
    case 'resources/read':
      return `Read “${resource}”`;
    case 'tools/call':
      return TOOLS[name] ?? `Called ${name}`;
    case 'prompts/get':
      return `Used the prompt ${name}`;
    default:
      return method;
  }
}
