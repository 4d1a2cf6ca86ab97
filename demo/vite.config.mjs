import { defaultClientConditions, defineConfig } from 'vite';

export default defineConfig(({ command }) => ({
  // Relative addresses: the built demo works under any path of a static host.
  base: './',
  // While developing, the packages are read from their sources, so that an edit shows at once; the
  // build takes their dist/, as any other app would.
  resolve: command === 'serve' ? { conditions: ['source', ...defaultClientConditions] } : {},
  // Dependencies of the worker are found here too, before the page asks for them: one that is
  // found late reloads the page.
  optimizeDeps: { entries: ['index.html', '../packages/*/src/**/*.ts'] },
  worker: { format: 'es' },
  build: { target: 'es2023', sourcemap: true },
}));
