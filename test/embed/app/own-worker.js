import { startServer } from '@inpage-mcp/server';

startServer();
