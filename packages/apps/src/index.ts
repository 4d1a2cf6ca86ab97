import type { Runtime } from '@inpage-mcp/runtime';

/**
 * Adds the apps of the notes to the server of a page, for clients that show apps (MCP Apps, 2026-01-26), and
 * the tools `show_notes`, `show_note` and `pick_notes`, which answer every client. The worker loads
 * their script now. Further calls do nothing.
 *
 * A connection that may read the app needs `ui://inpage/` in its `access.read`, unless that is `all`.
 *
 * @throws {RuntimeError} `failed` if the script cannot be loaded, or a tool has one of these names already.
 */
export async function addNotesApps(runtime: Pick<Runtime, 'addFeature'>): Promise<void> {
  await runtime.addFeature(featureScript());
}

/**
 * The address of the script. Bundlers find and emit the file as they do for a worker, because the address is
 * in one literal expression with the name `Worker`, and with the name of a package, which Vite's development
 * server needs. This function starts nothing.
 */
function featureScript(): URL {
  const Worker = class {
    readonly script: URL;

    constructor(script: URL, _options: WorkerOptions) {
      this.script = script;
    }
  };
  const { script } = new Worker(new URL('@inpage-mcp/apps/feature', import.meta.url), {
    type: 'module',
  });
  const isResolved = !script.pathname.endsWith('/@inpage-mcp/apps/feature');
  // If no bundler has resolved the name of the package, the file is next to this module.
  return isResolved ? script : new URL('../../feature.js', script);
}
