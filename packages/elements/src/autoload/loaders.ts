// Written by the build (scripts/elements/loaders.mjs).

/** Loads the module that defines an element, by the name of the element. */
export const loaders: Readonly<Record<string, () => Promise<unknown>>> = {
  'mcp-file-drop': () => import('../define/mcp-file-drop.js'),
  'mcp-note-editor': () => import('../define/mcp-note-editor.js'),
  'mcp-provider': () => import('../define/mcp-provider.js'),
  'mcp-resource-list': () => import('../define/mcp-resource-list.js'),
  'mcp-resource-view': () => import('../define/mcp-resource-view.js'),
};
