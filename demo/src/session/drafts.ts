/** The name under which editors keep words that are not saved: see `<mcp-note-editor>`. */
export const DRAFTS = 'inpage-mcp-demo';
