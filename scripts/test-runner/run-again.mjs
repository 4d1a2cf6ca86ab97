// `--watch` if no terminal accepts keys, as in a pipe, an editor or a container: runs the tests after each
// change of a file.
import { watch } from 'node:fs';
import { inRoot } from '../project/project.mjs';
import { runNode } from '../project/run.mjs';

const FOLDERS = ['packages', 'test', 'demo/src'];

/** Matches files that a run itself writes or installs. */
const NOT_A_SOURCE = /(^|[\\/])(node_modules|dist)([\\/]|$)|\.tsbuildinfo$/;

/**
 * Runs the tests, and again after each change. Never settles.
 * @param {string[]} options of `npm test`, without `--watch`
 */
export async function runAgain(options) {
  for (;;) {
    // The watch starts before the run, so that changes during the run count.
    const changed = nextChange();
    await runNode(inRoot('scripts/test.mjs'), options);
    console.log('\nThe tests run again when a file changes.');
    console.log(`\n${await changed} has changed.`);
  }
}

/** Resolves to the name of the first file that changes. @returns {Promise<string>} */
function nextChange() {
  return new Promise((settle) => {
    const watchers = FOLDERS.map((folder) =>
      watch(inRoot(folder), { recursive: true }, (_event, file) => {
        if (!file || NOT_A_SOURCE.test(file)) return;
        for (const watcher of watchers) watcher.close();
        settle(`${folder}/${file}`);
      }),
    );
  });
}
