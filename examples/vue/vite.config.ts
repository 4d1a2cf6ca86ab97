import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';

// Without this, Vue takes the elements for components that it cannot find.
const isCustomElement = (tag: string) => tag.startsWith('mcp-');

export default defineConfig({
  plugins: [vue({ template: { compilerOptions: { isCustomElement } } })],
});
