import { Bridge } from '../joining/bridge.js';
import type { HostSession } from '../session/host-session.js';
import { PageMarker } from '../state/page-marker.js';
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

/**
 * Starts the parts that every serving mode needs.
 *
 * @param sessions The sessions whose hosts can be asked.
 * @param asks Whether the bridge may ask in the terminal.
 */
export function start(
  options: CommandOptions,
  sessions: () => Iterable<HostSession>,
  asks: boolean,
): Parts {
  const { port, pageUrl, mayOpen } = options;
  const state = new StateFile(stateFolder());
  const marker = new PageMarker(stateFolder(), port);
  const version = packageVersion();
  const answer = (code: string, isAccepted: boolean): void =>
    bridge.answerPairing(code, isAccepted);
  const opener = mayOpen ? { open: openInBrowser } : {};
  const waiting = new WaitingServer({ version, pageUrl, answer, marker, ...opener });
  const questions = new PairingQuestions({
    sessions,
    ...(asks && process.stdin.isTTY && { askTerminal: askYesNo }),
    onanswer: answer,
  });
  const bridge: Bridge = new Bridge({
    port,
    state,
    pageAnswerMs: options.deadlines.pageAnswerMs,
    hubAnswerMs: options.deadlines.hubAnswerMs,
    expectedOrigins: pageUrl === undefined ? [] : [new URL(pageUrl).origin],
    onstatus(status: BridgeStatus) {
      if (status.problem) console.error('inpage-mcp bridge:', status.problem);
      // When this process ends, its pages stay open, so the marker stays, too.
      if (bridge.isHub) marker.update(status.page !== undefined);
      waiting.status = status;
      questions.setStatus(status);
    },
  });
  return { bridge, waiting, state };
}

/** Closes the bridge and exits the process, after a delay in which stdout and the sockets are flushed. */
export function stop(bridge: Bridge): void {
  bridge.close();
  setTimeout(() => process.exit(0), EXIT_MS);
}

const EXIT_MS = 30;

/** Closes the bridge and exits when the process gets a signal to end. */
export function stopOnSignals(bridge: Bridge): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => stop(bridge));
}
