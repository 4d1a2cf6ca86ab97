// `new URL('./worker.js', import.meta.url)` in a .ts file asks for worker.js. The esbuild plugin
// maps only imports, so requests of this kind are mapped here.
import { existsSync } from 'node:fs';
import { inRoot } from '../project.mjs';

/** @param {string} path a request's path that ends in .js */
function isMissingBesideTypeScript(path) {
  const file = inRoot(`.${decodeURIComponent(path)}`);
  return !existsSync(file) && existsSync(file.replace(/\.js$/, '.ts'));
}

/** @typedef {NonNullable<import('@web/test-runner').TestRunnerConfig['middleware']>[number]} Middleware */

/**
 * Middleware for @web/test-runner.
 * @param {Parameters<Middleware>[0]} context
 * @param {Parameters<Middleware>[1]} next
 */
export function serveTypeScriptForJavaScript(context, next) {
  if (context.path.endsWith('.js') && isMissingBesideTypeScript(context.path)) {
    context.path = context.path.replace(/\.js$/, '.ts');
  }
  return next();
}
