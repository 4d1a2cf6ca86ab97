// A script that is no module, bundled with all that it imports: a frame without an origin of its own may
// load it from any static host, which a module may not be.
import { build } from 'vite';

/**
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
      build: {
        write: false,
        target: 'es2023',
        lib: { entry, formats: ['iife'], name: 'assistant', fileName: () => fileName },
      },
    });
    const [output] = [built].flat();
    if (!output || !('output' in output)) throw new Error(`${entry} was not bundled.`);
    return output.output[0].code;
  };
  return {
    name: 'classic-script',
    configResolved(config) {
      conditions = config.resolve.conditions;
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        if (!request.url?.endsWith(`/${fileName}`)) return next();
        bundle().then((code) => {
          response.setHeader('content-type', 'text/javascript').end(code);
        }, next);
      });
    },
    async generateBundle() {
      this.emitFile({ type: 'asset', fileName, source: await bundle() });
    },
  };
}
