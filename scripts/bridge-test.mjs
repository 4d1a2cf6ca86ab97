// `npm run test:bridge`: builds the packages, and runs the tests for Node, with its test runner:
// test/bridge/*.test.mjs with real bridge processes, real sockets, and a page that is made of Node, and
// test/apps/*.test.mjs. Arguments name the files to run instead; `-- --chosen` runs those of the gate. There,
// a file that fails runs once more, alone.
import { buildPackages } from './build.mjs';
import { setUp } from './setup.mjs';
import { chosenOfBridge, nodeTestsIn } from './test-runner/chosen-files.mjs';
import { runNodeTests } from './test-runner/node-tests.mjs';

const hasSecondTry = process.argv.includes('--chosen');
const all = ['test/apps', 'test/bridge'].flatMap(nodeTestsIn);
const named = process.argv.slice(2).filter((argument) => argument !== '--chosen');

await setUp();
if (!(await buildPackages())) process.exit(1);
const files = hasSecondTry ? chosenOfBridge : named.length > 0 ? named : all;
// Several files at a time: most of them wait. A server of a test has ports, which would keep its process alive.
process.exit(await runNodeTests(files, { atATime: 3, hasSecondTry, forceExit: true }));
