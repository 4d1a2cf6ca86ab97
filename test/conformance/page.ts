/** The page of `npm run conformance`: the suite reaches its server by the bridge, on the port of the address. */
import { startRuntime } from '@inpage-mcp/runtime';

const runtime = await startRuntime({
  worker: () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }),
});

const desktop = await runtime.serveDesktop({
  port: Number(new URL(location.href).searchParams.get('port')),
  access: { read: 'all', write: 'allow', tools: 'all' },
  pair: () => true,
});

Object.assign(globalThis, { desktop });
