import { serveStdioHost } from '../hosts/stdio-host.js';
import { HubClient } from '../joining/hub-client.js';
import type { HostSession } from '../session/host-session.js';
import { StateFile } from '../state/state-file.js';
import { stateFolder } from '../state/state-folder.js';
import type { CommandOptions } from './options.js';
import { start, stop, stopOnSignals } from './start.js';

/** Serves a host over stdio, until it closes stdin. */
export function runStdio(options: CommandOptions): void {
  const sessions = new Set<HostSession>();
  const { bridge, waiting } = start(options, () => sessions, false);
  const { name, waitMs, deadlines } = options;
  const session = serveStdioHost({
    router: bridge,
    waiting,
    name,
    waitMs,
    deadlines,
    onclose: () => stop(bridge),
  });
  sessions.add(session);
  stopOnSignals(bridge);
  if (process.stdin.isTTY)
    console.error('A program starts this command and speaks MCP with it. See --help for people.');
}

/** Shows codes, and asks in the terminal whether a page may be paired. */
export function runPair(options: CommandOptions): void {
  const { bridge } = start(options, () => [], true);
  stopOnSignals(bridge);
  console.error('Waiting for a page that wants to be paired. Press "Connect" in the page.');
}

/** Deletes the pairings of an origin, and ends the connections of its pages. */
export async function runForget({ forgetOrigin, port }: CommandOptions): Promise<void> {
  const state = new StateFile(stateFolder());
  const count = state.remove(({ origin }) => origin === forgetOrigin);
  console.error(`Deleted pairings of ${forgetOrigin}: ${count}.`);
  if (count > 0) await endUnpairedPages(port, state.secret);
}

const nothing = (): void => undefined;

/** Notifies the hub, if one runs, so that it disconnects the pages without a pairing. */
async function endUnpairedPages(port: number, secret: Uint8Array): Promise<void> {
  try {
    const options = { port, secret, expectedOrigins: [], onstatus: nothing, onclose: nothing };
    const hub = await HubClient.connect(options);
    hub.reportDeletedPairings();
    hub.close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') return;
    console.error(
      `A program has port ${port} and does not answer. If it is a bridge, pages that are connected to it stay connected until it ends.`,
    );
    process.exitCode = 1;
  }
}
