import { readdirSync } from 'node:fs';
import { defineConfig } from 'vite';

const input = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.html'));

export default defineConfig({
  base: './',
  // Each library is in the chunk of its page.
  build: { rollupOptions: { input }, chunkSizeWarningLimit: 2_000 },
});
