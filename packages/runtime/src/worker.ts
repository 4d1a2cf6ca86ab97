/** The default worker: the user's notes and files. Built into one self-contained `dist/worker.js`. */
import { files, notes, startServer } from '@inpage-mcp/server';

startServer({ providers: [notes(), files()] });
