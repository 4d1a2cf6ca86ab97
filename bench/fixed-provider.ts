import type { ResourceProvider } from '@inpage-mcp/server';
import { FIXED, FIXED_TEXT } from './fixed-text.js';

/** The resource as a provider of the whole server. */
export const fixed: ResourceProvider = {
  name: 'fixed',
  templates: [],
  list: async () => ({ resources: [FIXED] }),
  read: async (uri) => (uri === FIXED.uri ? [{ ...FIXED, text: FIXED_TEXT }] : undefined),
  listen: () => () => undefined,
};
