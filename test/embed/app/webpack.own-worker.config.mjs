import { resolve } from 'node:path';

export default {
  // Only which files there are is of interest: they need not be minified.
  mode: 'development',
  devtool: false,
  entry: './own-worker-page.js',
  output: { path: resolve('dist-webpack-own-worker') },
};
