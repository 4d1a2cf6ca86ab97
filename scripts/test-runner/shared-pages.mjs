// Pages that several short test files share: `together.ts` of a folder imports them.
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { inRoot, root } from '../project/project.mjs';
import { sourceFiles } from '../project/source-files.mjs';

const paths = sourceFiles(inRoot('test')).filter((path) => /[\\/]together\.ts$/.test(path));

export const sharedPages = paths.map((path) => relative(root, path));

/** The test files that do not need a separate page. */
export const sharingFiles = paths.flatMap((path) =>
  [...readFileSync(path, 'utf8').matchAll(/^import '(.+)\.js';$/gm)].map(([, name = '']) =>
    relative(root, join(dirname(path), `${name}.ts`)),
  ),
);
