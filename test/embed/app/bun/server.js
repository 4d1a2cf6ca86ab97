/* global Bun */
import index from './index.html';

const worker = Bun.file('node_modules/@inpage-mcp/runtime/dist/worker.js');
Bun.serve({
  development: true,
  port: Number(process.argv.at(-1)),
  routes: { '/': index, '/worker.js': () => new Response(worker) },
});
