// `npm start`: serves the demo on localhost, from sources, with nothing to build first.
import { inRoot } from './project/project.mjs';
import { setUp } from './setup.mjs';

await setUp();
const { createServer } = await import('vite');
const server = await createServer({
  root: inRoot('demo'),
  clearScreen: false,
  logLevel: 'warn',
  // Another free port when this one is taken.
  server: { port: 5173, strictPort: false },
});
await server.listen();
console.log(`\n  The demo is at ${server.resolvedUrls?.local[0]}\n  Press Ctrl+C to stop.\n`);

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => void server.close().finally(() => process.exit(0)));
}
