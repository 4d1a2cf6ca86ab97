// A classic script, not a module, bundled with all its imports. A frame without an origin of its own may load
// it from any static host, which is not allowed for a module.
import { posix, relative } from 'node:path';
import { build } from 'vite';
import { root } from '../scripts/project/project.mjs';
import { NOTICES_FILE, noticesOf } from '../scripts/building/third-party-notices.mjs';

/**
 * Builds a classic script. The licences of the packages in it are in a file next to it.
 * @param {{ fileName: string, entry: string }} options
 * @returns {import('vite').Plugin}
 */
export function classicScript({ fileName, entry }) {
  /** @type {string[]} */
  let conditions;
  const bundle = async () => {
    const built = await build({
      configFile: false,
      logLevel: 'warn',
      resolve: { conditions },
      // A classic script has no other address for the files next to it.
      define: { 'import.meta.url': 'document.baseURI' },
      build: {
        // If code uses this as the address of a module, its users set another address.
        rolldownOptions: { transform: { define: { 'import.meta': '{}' } } },
        write: false,
        target: 'es2023',
        lib: { entry, formats: ['iife'], name: 'assistant', fileName: () => fileName },
      },
    });
    const [output] = [built].flat();
    if (!output || !('output' in output)) throw new Error(`${entry} was not bundled.`);
    return output.output[0];
  };
  return {
    name: 'classic-script',
    configResolved(config) {
      conditions = config.resolve.conditions;
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        if (!request.url?.endsWith(`/${fileName}`)) return next();
        bundle().then(({ code }) => {
          response.setHeader('content-type', 'text/javascript').end(code);
        }, next);
      });
    },
    async generateBundle() {
      const { code, modules } = await bundle();
      const notices = `${fileName.replace(/\.js$/, '')}.${NOTICES_FILE}`;
      const banner = `/*! third-party software: ${posix.basename(notices)} */\n`;
      this.emitFile({ type: 'asset', fileName, source: banner + code });
      const source = noticesOf(bundledFiles(modules)) ?? '';
      this.emitFile({ type: 'asset', fileName: notices, source });
    },
  };
}

/**
 * The files whose code is in a bundle, below the root folder.
 * @param {Record<string, { renderedLength: number }>} modules The modules, by their paths.
 */
function bundledFiles(modules) {
  const paths = Object.entries(modules).filter(([, { renderedLength }]) => renderedLength > 0);
  return paths.map(([path]) => relative(root, path).replaceAll('\\', '/'));
}
