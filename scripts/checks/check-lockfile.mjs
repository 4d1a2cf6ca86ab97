// Fails if the lockfile only works on the machine that wrote it. npm omits the packages for
// other platforms (@rollup/rollup-darwin-arm64 and the like) that its registry does not have, and
// `npm ci` then refuses the lockfile everywhere; and an address of a registry ties it to that one.
import { readFileSync } from 'node:fs';
import { inRoot } from '../project/project.mjs';

/** @typedef {{ resolved?: string, link?: boolean, optionalDependencies?: Record<string, string> }} Entry */

/** @type {Record<string, Entry>} */
const packages = JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8')).packages;

const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
  Object.keys(optionalDependencies).filter(
    (name) => !packages[`${path}/node_modules/${name}`] && !packages[`node_modules/${name}`],
  ),
);
const tied = Object.entries(packages)
  .filter(([, { link, resolved }]) => !link && resolved !== undefined)
  .map(([path]) => path);

for (const name of missing) console.error(`package-lock.json lacks the optional package ${name}.`);
for (const path of tied) console.error(`package-lock.json names the registry of ${path}.`);
if (missing.length > 0) {
  console.error('Delete it and run npm install where the whole registry can be reached.');
}
process.exitCode = missing.length + tied.length > 0 ? 1 : 0;
