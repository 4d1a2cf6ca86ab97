// The apps of examples/ that are built, and how.

/**
 * @typedef {object} Example
 * @property {string} name of the folder
 * @property {string[]} check the script that checks the types, and its arguments
 * @property {string} app the file with the elements
 * @property {[RegExp, string][]} mistakes in the use of the elements, which the check has to find
 * @property {string[]} build
 * @property {string} folder that is built
 */

const VITE = ['vite/bin/vite.js', 'build'];

/** @type {[RegExp, string]} */
const WRONG_EVENT = [/resource\.uri/, 'resource.nothing'];

/** @type {[RegExp, string]} */
const WRONG_JSX = [/label="Notes"/, 'label={7}'];

/** @type {Example[]} */
export const examples = [
  {
    name: 'react',
    check: ['typescript/bin/tsc', '--noEmit'],
    app: 'src/app.tsx',
    mistakes: [WRONG_EVENT, WRONG_JSX],
    build: VITE,
    folder: 'dist',
  },
  {
    name: 'vue',
    check: ['vue-tsc/bin/vue-tsc.js', '--noEmit'],
    app: 'src/app.vue',
    mistakes: [WRONG_EVENT, [/label="Notes"/, ':label="7"']],
    build: VITE,
    folder: 'dist',
  },
  {
    name: 'svelte',
    check: ['svelte-check/bin/svelte-check', '--output', 'machine'],
    app: 'src/app.svelte',
    mistakes: [WRONG_EVENT, WRONG_JSX],
    build: VITE,
    folder: 'dist',
  },
  {
    name: 'next',
    check: ['typescript/bin/tsc', '--noEmit'],
    app: 'app/notes.tsx',
    mistakes: [WRONG_EVENT, WRONG_JSX],
    build: ['next/dist/bin/next', 'build'],
    folder: 'out',
  },
];
