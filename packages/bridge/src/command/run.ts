import { HttpEndpoint } from '../hosts/http-endpoint.js';
import { httpToken } from '../hosts/http-token.js';
import { serveStdioHost } from '../hosts/stdio-host.js';
import { Bridge } from '../joining/bridge.js';
import type { HostSession } from '../session/host-session.js';
import { StateFile } from '../state/state-file.js';
import { stateFolder } from '../state/state-folder.js';
import { WaitingServer } from '../waiting/waiting-server.js';
import type { BridgeStatus } from '../wire/router.js';
import { openInBrowser } from './open-in-browser.js';
import { UsageError, type CommandOptions } from './options.js';
import { PairingQuestions } from './pairing-questions.js';
import { askYesNo } from './terminal.js';
import { packageVersion } from './version.js';

/** The parts of a bridge process that all its hosts share. */
interface Parts {
  bridge: Bridge;
  waiting: WaitingServer;
  state: StateFile;
}

/** Serves a host over stdio, until it closes stdin. */
export async function runStdio(options: CommandOptions): Promise<void> {
  const sessions = new Set<HostSession>();
  const { bridge, waiting } = start(options, () => sessions, false);
  const { name, waitMs } = options;
  const session = await serveStdioHost({
    router: bridge,
    waiting,
    name,
    waitMs,
    onclose: () => stop(bridge),
  });
  sessions.add(session);
  stopOnSignals(bridge);
}

/** Serves HTTP clients, until the process is stopped. */
export async function runHttp(options: CommandOptions): Promise<void> {
  const { name, waitMs, httpPort, isOpenHttp } = options;
  let endpoint: HttpEndpoint | undefined;
  const { bridge, waiting, state } = start(options, () => endpoint?.sessions ?? [], true);
  const token = isOpenHttp ? undefined : httpToken(state.secret);
  const shared = { router: bridge, waiting, name, waitMs };
  try {
    endpoint = await HttpEndpoint.listen({ ...shared, port: httpPort, token });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new UsageError(`Port ${httpPort} is taken. Choose another one with --http-port.`);
  }
  console.error(`Serving MCP at ${endpoint.url}${token === undefined ? '' : `?token=${token}`}`);
  stopOnSignals(bridge);
}

/** Shows codes, and asks in the terminal whether a page may be paired. */
export function runPair(options: CommandOptions): void {
  const { bridge } = start(options, () => [], true);
  stopOnSignals(bridge);
  console.error('Waiting for a page that wants to be paired. Press "Connect" in the page.');
}

/** Deletes the pairings of an origin. */
export function runForget({ forgetOrigin }: CommandOptions): void {
  const state = new StateFile(stateFolder());
  const count = state.remove(({ origin }) => origin === forgetOrigin);
  console.error(`Deleted pairings of ${forgetOrigin}: ${count}.`);
}

/** @param asks Whether the terminal is there for questions. */
function start(
  options: CommandOptions,
  sessions: () => Iterable<HostSession>,
  asks: boolean,
): Parts {
  const { port, pageUrl, mayOpen } = options;
  const state = new StateFile(stateFolder());
  const version = packageVersion();
  const answer = (code: string, isAccepted: boolean): void =>
    bridge.answerPairing(code, isAccepted);
  const opener = mayOpen ? { open: openInBrowser } : {};
  const waiting = new WaitingServer({ version, pageUrl, answer, ...opener });
  const questions = new PairingQuestions({
    sessions,
    ...(asks && process.stdin.isTTY && { askTerminal: askYesNo }),
    onanswer: answer,
  });
  const bridge: Bridge = new Bridge({
    port,
    state,
    expectedOrigins: pageUrl === undefined ? [] : [new URL(pageUrl).origin],
    onstatus(status: BridgeStatus) {
      waiting.status = status;
      questions.setStatus(status);
    },
    onproblem: (problem) => console.error('inpage-mcp bridge:', problem),
  });
  return { bridge, waiting, state };
}

/** What was written to stdout or to sockets is sent before the process exits. */
function stop(bridge: Bridge): void {
  bridge.close();
  setTimeout(() => process.exit(0), EXIT_MS);
}

const EXIT_MS = 100;

function stopOnSignals(bridge: Bridge): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => stop(bridge));
}
