// A hook for Node before 22, with `--import`. The suite imports `globSync` of `fs`, which Node 20 does
// not have, so the suite cannot be linked. Only its command `tier-check` calls the function; here it
// is undefined. Remove this file when the project needs Node 22.
import fs from 'node:fs';
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const SUITE = /\/conformance-[\d.]+\/dist\/index\.js$/;

// Node loads the hooks of a module again, on a separate thread.
if (isMainThread && !('globSync' in fs)) register(import.meta.url);

/** @type {import('node:module').LoadHook} */
export async function load(url, context, nextLoad) {
  if (!SUITE.test(url)) return nextLoad(url, context);
  const source = fs.readFileSync(new URL(url), 'utf8');
  const linkable = source.replace(/\bglobSync as (\w+),(.*?from"fs";)/, '$2let $1;');
  return { format: 'module', source: linkable, shortCircuit: true };
}
