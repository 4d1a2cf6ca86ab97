// The documents of the repository that are written for its users.
import { readdirSync } from 'node:fs';
import { inRoot, packageNames } from './project.mjs';

/** The paths of the Markdown files in a folder. @param {string} folder */
export const markdownIn = (folder) =>
  readdirSync(inRoot(folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);

/** The documents for those who write an app. */
export const appDocuments = [
  'README.md',
  ...packageNames.map((name) => `packages/${name}/README.md`),
  ...markdownIn('docs/guides'),
  ...markdownIn('packages/elements/docs'),
];
