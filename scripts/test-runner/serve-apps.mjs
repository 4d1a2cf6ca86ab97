// Serves the apps of the tests (test/apps/*.ts) as MCP Apps are served: one document that contains
// everything.
import { existsSync } from 'node:fs';
import { build } from 'esbuild';
import { inRoot } from '../project/project.mjs';

/** @type {Map<string, Promise<string>>} */
const built = new Map();

/**
 * A middleware for @web/test-runner: `/__app/steps` is the document of test/apps/steps.ts.
 * @type {NonNullable<import('@web/test-runner').TestRunnerConfig['middleware']>[number]}
 */
export async function serveApps(context, next) {
  const [, name] = /^\/__app\/([\w-]+)$/.exec(context.path) ?? [];
  const entry = inRoot(`test/apps/${name}.ts`);
  if (name === undefined || !existsSync(entry)) return await next();
  const html = built.get(name) ?? documentOf(entry);
  built.set(name, html);
  context.type = 'text/html';
  context.body = await html;
}

/** @param {string} entry */
async function documentOf(entry) {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['source', 'browser'],
    target: 'es2023',
    tsconfig: inRoot('tsconfig.base.json'),
    logLevel: 'silent',
  });
  const script = outputFiles[0]?.text.replaceAll('</script', '<\\/script') ?? '';
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>App</title><body><script type="module">${script}</script></body></html>`;
}
