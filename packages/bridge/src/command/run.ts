import { serveStdioHost } from '../hosts/stdio-host.js';
import { Bridge } from '../joining/bridge.js';
import type { HostSession } from '../session/host-session.js';
import { StateFile } from '../state/state-file.js';
import { stateFolder } from '../state/state-folder.js';
import { WaitingServer } from '../waiting/waiting-server.js';
import type { BridgeStatus } from '../wire/router.js';
import { openInBrowser } from './open-in-browser.js';
import type { CommandOptions } from './options.js';
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
  const { bridge, waiting } = start(options, sessions, false);
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

/** Shows codes, and asks in the terminal whether a page may be paired. */
export function runPair(options: CommandOptions): void {
  const { bridge } = start(options, new Set(), true);
  stopOnSignals(bridge);
  console.error('Waiting for a page that wants to be paired. Press "Connect" in the page.');
}

/** Deletes the pairings of an origin. */
export function runForget({ forgetOrigin }: CommandOptions): void {
  const state = new StateFile(stateFolder());
  const count = state.remove(({ origin }) => origin === forgetOrigin);
  console.error(`${count} pairings of ${forgetOrigin} were deleted.`);
}

/** @param asks Whether the terminal is there for questions. */
export function start(options: CommandOptions, sessions: Set<HostSession>, asks: boolean): Parts {
  const { port, pageUrl, mayOpen } = options;
  const state = new StateFile(stateFolder());
  const version = packageVersion();
  const waiting = new WaitingServer({ version, pageUrl, ...(mayOpen && { open: openInBrowser }) });
  const questions = new PairingQuestions({
    sessions: () => sessions,
    ...(asks && process.stdin.isTTY && { askTerminal: askYesNo }),
    onanswer: (code, isAccepted) => bridge.answerPairing(code, isAccepted),
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

export function stopOnSignals(bridge: Bridge): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => stop(bridge));
}
