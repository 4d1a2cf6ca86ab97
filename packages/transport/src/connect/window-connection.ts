import { Heartbeat } from '../liveness/heartbeat.js';
import type { Attempt } from './hello-sender.js';
import type { OwnLock } from '../liveness/own-lock.js';
import { watchWindow } from '../liveness/closed-window-watch.js';
import { END_OF_STREAM } from '../port/wire-messages.js';

export interface WindowConnectionOptions {
  heartbeatMs: number;
  lock: OwnLock | undefined;
  signal: AbortSignal | undefined;
}

/**
 * Monitors the port of another window until the connection ends: the peer closes it, navigates away
 * or dies, or the signal aborts. The port then ends with `null`.
 */
export function monitorConnection(attempt: Attempt, options: WindowConnectionOptions): void {
  const { lock, signal } = options;
  const ended = new AbortController();
  const listening = { signal: ended.signal };
  const release = (): void => {
    ended.abort();
    heartbeat.stop();
    stopWatching();
    lock?.release();
  };
  const end = (): void => {
    release();
    endStream(attempt.mcpPort);
  };
  const heartbeat = new Heartbeat(attempt.watchPort, attempt.peer, options.heartbeatMs, {
    onDead: end,
    onMessage: ({ type }) => {
      if (type === 'bye') end();
    },
  });
  const stopWatching = watchWindow(attempt.peer, end);
  // If the peer ends the stream on the port itself, nothing more has to be sent. This listener sees
  // that only if the port is used in this window, and does not start the port.
  const listen = ({ data }: MessageEvent<unknown>): void => {
    if (data === END_OF_STREAM) release();
  };
  attempt.mcpPort.addEventListener('message', listen, listening);
  signal?.addEventListener('abort', end, listening);
  const onPageHide = ({ persisted }: PageTransitionEvent): void => {
    if (!persisted) release();
    else if (lock) pause(heartbeat, lock);
  };
  const onPageShow = ({ persisted }: PageTransitionEvent): void => {
    if (persisted && lock) void resume(heartbeat, lock);
  };
  window.addEventListener('pagehide', onPageHide, listening);
  window.addEventListener('pageshow', onPageShow, listening);
}

/**
 * The peer reports the end on the watch port; this dispatches it to the listeners of the other port.
 * A port that was transferred does not receive it.
 */
function endStream(port: MessagePort): void {
  port.dispatchEvent(new MessageEvent('message', { data: END_OF_STREAM }));
  port.close();
}

/**
 * Releases the lock, because the back/forward cache does not keep a page properly if another agent waits for
 * its lock.
 */
function pause(heartbeat: Heartbeat, lock: OwnLock): void {
  heartbeat.send({ type: 'pausing' });
  lock.release();
}

/**
 * Acquires the lock again. If the browser refuses it, the peer continues without it, as in a context without
 * locks.
 */
async function resume(heartbeat: Heartbeat, lock: OwnLock): Promise<void> {
  await lock.acquire().catch(() => undefined);
  heartbeat.send({ type: 'resumed' });
}
