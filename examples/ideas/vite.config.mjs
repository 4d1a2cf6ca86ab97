import { readdirSync } from 'node:fs';
import { defineConfig } from 'vite';

const input = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.html'));

export default defineConfig({
  base: './',
  build: { rollupOptions: { input } },
  worker: { format: 'es' },
});
