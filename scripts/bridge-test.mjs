// `npm run test:bridge`: builds the packages, and runs test/bridge/*.test.mjs with Node's test runner: real
// bridge processes, real sockets, and a page that is made of Node. Arguments name the files to run instead.
import { readdirSync } from 'node:fs';
import { buildPackages } from './build.mjs';
import { inRoot } from './project/project.mjs';
import { run } from './project/run.mjs';
import { setUp } from './setup.mjs';

const folder = 'test/bridge';
const named = process.argv.slice(2);
const files = readdirSync(inRoot(folder))
  .filter((file) => file.endsWith('.test.mjs'))
  .map((file) => `${folder}/${file}`);

await setUp();
if (!(await buildPackages())) process.exit(1);
// Several files at a time: most of them wait. The time limit holds for each test and for each file. A server
// of a test has ports, which would keep its process alive.
const options = ['--test', '--test-force-exit', '--test-concurrency=3', '--test-timeout=600000'];
options.push('--test-reporter=spec');
const { code } = await run(process.execPath, [...options, ...(named.length > 0 ? named : files)]);
process.exit(code);
