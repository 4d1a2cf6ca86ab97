import { resolve } from 'node:path';

export default {
  mode: 'production',
  entry: './own-worker-page.js',
  output: { path: resolve('dist-webpack-own-worker') },
};
