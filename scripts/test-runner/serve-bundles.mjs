// Serves the tests, bundled from the sources, and bundles them again when a source changes.
import { inRoot, packageNames } from '../project/project.mjs';
import { sourceFiles } from '../project/source-files.mjs';
import { bundleSources } from './bundles.mjs';

/**
 * @typedef {import('@web/test-runner').TestRunnerPlugin} Plugin
 * @typedef {NonNullable<import('@web/test-runner').TestRunnerConfig['middleware']>[number]} Middleware
 * @typedef {Parameters<NonNullable<Plugin['serverStart']>>[0]['fileWatcher']} FileWatcher
 */

const watchedFolders = [
  ...packageNames.map((name) => inRoot('packages', name, 'src')),
  inRoot('test'),
  inRoot('examples'),
];

/**
 * A plugin and a middleware for @web/test-runner. The plugin bundles; the middleware answers before the dev
 * server, which then has nothing to transform.
 * @param {readonly string[] | undefined} patterns of the chosen test files. Default: all
 * @returns {{ plugin: Plugin, middleware: Middleware }}
 */
export function serveBundles(patterns) {
  /** @type {ReturnType<typeof bundleSources>} */
  let bundles;
  let announcing = false;

  /** @param {FileWatcher} fileWatcher */
  const bundleAgainOnChange = (fileWatcher) => {
    fileWatcher.add(watchedFolders.flatMap(sourceFiles));
    fileWatcher.on('change', async (source) => {
      if (announcing) return;
      const { sources } = await bundles;
      bundles = bundleSources(patterns);
      // The runner knows only the files that it serves, so it runs only those tests again whose own files
      // change.
      announcing = true;
      for (const [entry, parts] of sources)
        if (entry !== source && parts.has(source)) fileWatcher.emit('change', entry);
      announcing = false;
    });
  };

  return {
    plugin: {
      name: 'bundles',
      async serverStart({ config, fileWatcher }) {
        bundles = bundleSources(patterns);
        await bundles;
        if (!config.disableFileWatcher) bundleAgainOnChange(fileWatcher);
      },
    },
    async middleware(context, next) {
      const { files } = await bundles;
      const contents = files.get(context.path.replace(/\.ts$/, '.js'));
      if (contents !== undefined) {
        context.type = context.path.endsWith('.map') ? 'application/json' : 'text/javascript';
        context.body = Buffer.from(contents);
        return;
      }
      // Browsers cannot run TypeScript, so an address that is not an entry point is a mistake.
      if (context.path.endsWith('.ts')) context.status = 404;
      else await next();
    },
  };
}
