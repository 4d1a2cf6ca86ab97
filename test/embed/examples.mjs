// The apps that are built, and how: those of examples/, and those of test/embed/app/frameworks.
import { viteServer } from './development-server.mjs';

/**
 * @typedef {object} TypeCheck
 * @property {string[]} check the script, and its arguments
 * @property {string} app the file with the elements
 * @property {[RegExp, string][]} mistakes in the use of the elements, which the check has to find
 *
 * @typedef {object} Example
 * @property {string} name of the folder
 * @property {string} [parent] the folder of that folder; `examples` by default
 * @property {TypeCheck} [types] unless the build checks them
 * @property {string[]} build
 * @property {string} folder that is built
 * @property {string[]} [serve] the script of a development server
 * @property {() => unknown} [isShown] whether the page shows what it should; by default a note that its user selects
 * @property {boolean} [isSlow] whether it is built with `--soak` only
 */

const SERVE = viteServer();
const VITE = ['vite/bin/vite.js', 'build'];

/** @type {[RegExp, string]} */
const WRONG_EVENT = [/resource\.uri/, 'resource.nothing'];

/** @type {[RegExp, string]} */
const WRONG_JSX = [/label="Notes"/, 'label={7}'];

/** Whether the app of a tool has started, with the result beside it. */
function isAppShown() {
  const app = document.querySelector('mcp-app');
  return Boolean(app?.matches(':state(ready)') && app.shadowRoot?.querySelector('button.text'));
}

/** @type {Example[]} */
export const examples = [
  {
    name: 'vite',
    types: {
      check: ['typescript/bin/tsc', '--noEmit'],
      app: 'src/main.ts',
      mistakes: [WRONG_EVENT],
    },
    build: VITE,
    folder: 'dist',
    serve: SERVE,
  },
  {
    name: 'react',
    types: {
      check: ['typescript/bin/tsc', '--noEmit'],
      app: 'src/app.tsx',
      mistakes: [WRONG_EVENT, WRONG_JSX],
    },
    build: VITE,
    folder: 'dist',
    serve: SERVE,
  },
  {
    name: 'app-host',
    types: {
      check: ['typescript/bin/tsc', '--noEmit'],
      app: 'src/app.tsx',
      mistakes: [[/tool="roll_dice"/, 'tool={7}']],
    },
    build: VITE,
    folder: 'dist',
    serve: SERVE,
    isShown: isAppShown,
  },
  {
    name: 'vue',
    types: {
      check: ['vue-tsc/bin/vue-tsc.js', '--noEmit'],
      app: 'src/app.vue',
      mistakes: [WRONG_EVENT, [/label="Notes"/, ':label="7"']],
    },
    build: VITE,
    folder: 'dist',
    serve: SERVE,
  },
  {
    name: 'svelte',
    types: {
      check: ['svelte-check/bin/svelte-check', '--output', 'machine'],
      app: 'src/app.svelte',
      mistakes: [WRONG_EVENT, WRONG_JSX],
    },
    build: VITE,
    folder: 'dist',
    serve: SERVE,
  },
  {
    name: 'lit',
    types: {
      check: ['typescript/bin/tsc', '--noEmit'],
      app: 'src/app.ts',
      mistakes: [WRONG_EVENT],
    },
    build: VITE,
    folder: 'dist',
    serve: SERVE,
  },
  {
    name: 'angular',
    types: {
      check: ['@angular/compiler-cli/bundles/src/bin/ngc.js', '--noEmit', '--pretty', 'false'],
      app: 'src/app.ts',
      mistakes: [WRONG_EVENT],
    },
    build: ['@angular/cli/bin/ng.js', 'build'],
    folder: 'dist',
    isSlow: true,
  },
  {
    // Its build checks the types, which are those of React.
    name: 'next',
    build: ['next/dist/bin/next', 'build'],
    folder: 'out',
  },
  { name: 'preact', parent: 'frameworks', build: VITE, folder: 'dist', isSlow: true },
  { name: 'solid', parent: 'frameworks', build: VITE, folder: 'dist', isSlow: true },
  { name: 'sveltekit', parent: 'frameworks', build: VITE, folder: 'build', isSlow: true },
  {
    name: 'astro',
    parent: 'frameworks',
    build: ['astro/astro.js', 'build'],
    folder: 'dist',
    isSlow: true,
  },
];
