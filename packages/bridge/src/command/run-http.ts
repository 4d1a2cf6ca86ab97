import { HttpEndpoint } from '../hosts/http-endpoint.js';
import { httpToken } from '../hosts/http-token.js';
import { UsageError, type CommandOptions } from './options.js';
import { start, stopOnSignals } from './start.js';

/** Serves HTTP clients, until the process is stopped. */
export async function runHttp(options: CommandOptions): Promise<void> {
  const { name, waitMs, httpPort, isOpenHttp, deadlines } = options;
  let endpoint: HttpEndpoint | undefined;
  const { bridge, waiting, state } = start(options, () => endpoint?.sessions ?? [], true);
  const token = isOpenHttp ? undefined : httpToken(state.secret);
  const shared = { router: bridge, waiting, name, waitMs, deadlines };
  try {
    endpoint = await HttpEndpoint.listen({ ...shared, port: httpPort, token });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const why = code === 'EADDRINUSE' ? 'is taken' : `cannot be used (${code})`;
    throw new UsageError(`Port ${httpPort} ${why}. Choose another one with --http-port.`);
  }
  console.error(`Serving MCP at ${endpoint.url}${token === undefined ? '' : `?token=${token}`}`);
  stopOnSignals(bridge);
}
