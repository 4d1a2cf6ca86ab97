/**
 * The default worker: serves the user's notes and files, and the resources of the page. Built into
 * one self-contained `dist/worker.js`.
 */
import { startServer } from '@inpage-mcp/server';

startServer();
