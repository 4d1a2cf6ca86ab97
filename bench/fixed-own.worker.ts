import { startServer, type ResourceProvider } from '@inpage-mcp/server';
import { FIXED, FIXED_TEXT } from './fixed-text.js';

const fixed: ResourceProvider = {
  name: 'fixed',
  templates: [],
  list: async () => ({ resources: [FIXED] }),
  read: async (uri) => (uri === FIXED.uri ? [{ ...FIXED, text: FIXED_TEXT }] : undefined),
  listen: () => () => undefined,
};

startServer({ providers: [fixed], features: [] });
