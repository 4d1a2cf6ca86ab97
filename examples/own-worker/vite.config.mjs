import { defaultClientConditions, defineConfig } from 'vite';

export default defineConfig(({ command }) => ({
  // Relative addresses: the built page works under any path of a static host.
  base: './',
  // Only for this repository, where the packages are read from their sources while developing.
  resolve: command === 'serve' ? { conditions: ['source', ...defaultClientConditions] } : {},
  // What the worker needs is found here before the page asks for it: what is found late reloads it.
  optimizeDeps: { entries: ['index.html', 'src/worker.ts', '../../packages/*/src/**/*.ts'] },
  worker: { format: 'es' },
  build: { target: 'es2023' },
}));
