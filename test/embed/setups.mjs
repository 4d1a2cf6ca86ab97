// The ways in which an app is built from the packed packages. Each runs in the folder of the app.

import { viteServer } from './development-server.mjs';

/**
 * @typedef {object} Setup
 * @property {string} name
 * @property {string[]} [build] the script of a package, and its arguments
 * @property {string} folder to serve; a development server ignores it
 * @property {string[]} [serve] the script of a development server, and its arguments
 * @property {boolean} [copiesWorker] whether README asks to copy the file of the worker
 * @property {boolean} [copiesPage] whether the bundler does not emit the page
 * @property {boolean} [isSlow] whether it is there with `--soak` only
 */

const BUN = 'bun/bin/bun.exe';

/** @param {number} version @returns {Setup[]} */
const vite = (version) => [
  {
    name: `vite ${version}, development`,
    serve: viteServer(`vite${version}`),
    folder: '.',
  },
  {
    name: `vite ${version}`,
    build: [`vite${version}/bin/vite.js`, 'build', '--outDir', `dist-vite${version}`],
    folder: `dist-vite${version}`,
  },
];

/** @type {Setup[]} */
export const setups = [
  ...[5, 6, 7].flatMap(vite),
  // The examples are built with this version.
  { name: 'vite 8, development', serve: viteServer(), folder: '.' },
  {
    name: 'webpack',
    build: ['webpack-cli/bin/cli.js'],
    folder: 'dist-webpack',
    copiesPage: true,
  },
  {
    name: 'Rspack',
    build: ['@rspack/cli/bin/rspack.js', 'build'],
    folder: 'dist-rspack',
    copiesPage: true,
  },
  {
    name: 'Parcel',
    build: ['parcel/lib/bin.js', 'build', 'index.html', '--dist-dir', 'dist-parcel', '--no-cache'],
    folder: 'dist-parcel',
  },
  {
    name: 'Rollup',
    build: ['rollup/dist/bin/rollup', '--config', '--silent'],
    folder: 'dist-rollup',
    copiesPage: true,
    copiesWorker: true,
  },
  {
    name: 'esbuild',
    build: ['../esbuild.config.mjs'],
    folder: 'dist-esbuild',
    copiesPage: true,
    copiesWorker: true,
  },
  {
    name: 'Bun',
    build: [BUN, 'build', 'index.html', '--outdir', 'dist-bun', '--minify', '--splitting'],
    folder: 'dist-bun',
    copiesWorker: true,
    isSlow: true,
  },
  { name: 'Bun, development', serve: [BUN, './bun/server.js'], folder: '.', isSlow: true },
];

/** @type {Setup[]} of an app with a worker of its own */
export const ownWorkerSetups = [
  {
    name: 'vite',
    build: ['vite/bin/vite.js', 'build', '--config', 'vite.own-worker.config.mjs'],
    folder: 'dist-vite-own-worker',
  },
  {
    name: 'webpack',
    build: ['webpack-cli/bin/cli.js', '--config', 'webpack.own-worker.config.mjs'],
    folder: 'dist-webpack-own-worker',
  },
];
