/** What stands in the chat, from top to bottom. */
export type Line =
  /** What the user has asked for. */
  | { readonly by: 'user'; readonly text: string }
  /** What the assistant says in its own words. */
  | { readonly by: 'assistant'; readonly text: string }
  /** The words of a resource, as they were read. */
  | { readonly by: 'quote'; readonly title: string; readonly text: string }
  /** What it did over MCP. */
  | { readonly by: 'call'; readonly text: string };

/** Adds a line to the chat. */
export type Say = (line: Line) => void;
