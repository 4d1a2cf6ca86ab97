import { expose } from 'comlink';
import { createControl } from './control/control.js';
import type { ServerOptions } from './serving/server-options.js';

/**
 * Makes this worker an MCP server. Call it once, at the top of the worker's file: the page's
 * `startRuntime` opens the database and transfers the ports. Import this package before anything
 * else: its first line reports to the page that the script is loaded.
 *
 * @param port The end of a channel that stands for the worker, in a test. Default: this worker.
 *
 * ```ts
 * startServer({ configure: (server) => server.addTool(greet) });
 * ```
 */
export function startServer(options: ServerOptions = {}, port?: MessagePort): void {
  expose(createControl(options), port);
}
