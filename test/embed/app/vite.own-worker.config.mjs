export default {
  build: {
    target: 'es2022',
    outDir: 'dist-vite-own-worker',
    rollupOptions: { input: 'own-worker.html' },
  },
  worker: { format: 'es' },
};
