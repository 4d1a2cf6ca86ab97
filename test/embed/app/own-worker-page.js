import { startRuntime } from '@inpage-mcp/runtime/own-worker';

await startRuntime({
  worker: () => new Worker(new URL('./own-worker.js', import.meta.url), { type: 'module' }),
});
