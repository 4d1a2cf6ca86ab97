import { startServer } from '@inpage-mcp/server';
import { fixed } from './fixed-provider.js';

startServer({ providers: [fixed], features: [] });
