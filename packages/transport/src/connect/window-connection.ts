import { Heartbeat } from '../liveness/heartbeat.js';
import type { Attempt } from './hello-sender.js';
import type { OwnLock } from '../liveness/own-lock.js';
import { watchWindow } from '../handover/window-watch.js';
import { END_OF_STREAM } from '../port/wire-messages.js';

/** What a connection is kept by. */
export interface WindowConnectionOptions {
  heartbeatMs: number;
  lock: OwnLock | undefined;
  signal: AbortSignal | undefined;
}

/**
 * Watches over a port that a window has given, until the connection ends: the peer closed it, left,
 * or died, or the signal says so. The port then ends with `null`.
 */
export function keepConnection(attempt: Attempt, options: WindowConnectionOptions): void {
  const { lock, signal } = options;
  const over = new AbortController();
  const listening = { signal: over.signal };
  const letGo = (): void => {
    over.abort();
    heartbeat.stop();
    stopWatching();
    lock?.release();
  };
  const end = (): void => {
    letGo();
    endStream(attempt.mcpPort);
  };
  const heartbeat = new Heartbeat(attempt.watchPort, attempt.peer, options.heartbeatMs, {
    dead: end,
    heard: ({ type }) => {
      if (type === 'bye') end();
    },
  });
  const stopWatching = watchWindow(attempt.peer, end);
  // The peer may end the stream on the port itself; then there is nothing to add. It is seen only
  // where the port is used here, and does not start it.
  const listen = ({ data }: MessageEvent<unknown>): void => {
    if (data === END_OF_STREAM) letGo();
  };
  attempt.mcpPort.addEventListener('message', listen, listening);
  signal?.addEventListener('abort', end, listening);
  const leave = ({ persisted }: PageTransitionEvent): void => {
    if (!persisted) letGo();
    else if (lock) pause(heartbeat, lock);
  };
  const comeBack = ({ persisted }: PageTransitionEvent): void => {
    if (persisted && lock) void resume(heartbeat, lock);
  };
  window.addEventListener('pagehide', leave, listening);
  window.addEventListener('pageshow', comeBack, listening);
}

/**
 * The end is announced on the watch port, so it is passed on to whoever listens on this one. It
 * does not reach a port that was transferred further.
 */
function endStream(port: MessagePort): void {
  port.dispatchEvent(new MessageEvent('message', { data: END_OF_STREAM }));
  port.close();
}

/** A page that holds a lock that another waits for is not kept as it should be. */
function pause(heartbeat: Heartbeat, lock: OwnLock): void {
  heartbeat.say({ type: 'pausing' });
  lock.release();
}

async function resume(heartbeat: Heartbeat, lock: OwnLock): Promise<void> {
  await lock.take();
  heartbeat.say({ type: 'resumed' });
}
