/** The id of a note, from its address; `undefined` for anything else. */
export function noteIdOf(uri: string): string | undefined {
  return uri.startsWith('note:///') ? uri.slice('note:///'.length) : undefined;
}

/** The path of a file, from its address; `undefined` for anything else, folders included. */
export function pathOf(uri: string): string | undefined {
  if (!uri.startsWith('file:///') || uri.endsWith('/')) return undefined;
  return decodeURIComponent(uri.slice('file:///'.length));
}
