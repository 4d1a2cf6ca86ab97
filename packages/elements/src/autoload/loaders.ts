// Written by the build (scripts/elements/loaders.mjs).

/** Loads the module that defines an element, by the name of the element. */
export const loaders: Readonly<Record<string, () => Promise<unknown>>> = {
  'mcp-activity': () => import('../define/mcp-activity.js'),
  'mcp-app': () => import('../define/mcp-app.js'),
  'mcp-connection': () => import('../define/mcp-connection.js'),
  'mcp-consent': () => import('../define/mcp-consent.js'),
  'mcp-file-drop': () => import('../define/mcp-file-drop.js'),
  'mcp-note-editor': () => import('../define/mcp-note-editor.js'),
  'mcp-prompt-menu': () => import('../define/mcp-prompt-menu.js'),
  'mcp-provider': () => import('../define/mcp-provider.js'),
  'mcp-resource-list': () => import('../define/mcp-resource-list.js'),
  'mcp-resource-picker': () => import('../define/mcp-resource-picker.js'),
  'mcp-resource-view': () => import('../define/mcp-resource-view.js'),
  'mcp-storage': () => import('../define/mcp-storage.js'),
  'mcp-sync': () => import('../define/mcp-sync.js'),
  'mcp-template-form': () => import('../define/mcp-template-form.js'),
  'mcp-tool-form': () => import('../define/mcp-tool-form.js'),
  'mcp-wire': () => import('../define/mcp-wire.js'),
};
