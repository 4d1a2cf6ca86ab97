/**
 * The default worker: the user's notes and files, and what the page provides. Built into one
 * self-contained `dist/worker.js`.
 */
import { files, notes, runtimeResources, startServer } from '@inpage-mcp/server';

startServer({ providers: [notes(), files(), runtimeResources()] });
