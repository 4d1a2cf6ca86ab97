import { expose } from 'comlink';
import { createControl } from './control/control.js';
import type { ServerOptions } from './serving/server-options.js';

/**
 * Makes this worker an MCP server. Call it once, at the top of the worker's file: the page's
 * `startRuntime` opens the database and hands over the ports. Import this package first, if there is
 * more to load: with its first line the worker reports to the page that it has arrived.
 *
 * ```ts
 * startServer({ providers: [notes(), files()] });
 * ```
 */
export function startServer(options: ServerOptions): void {
  expose(createControl(options));
}
