import type { WebSocket } from 'ws';

/** The time between two pings, in ms, and how many of them may stay without an answer. */
const BEAT_MS = 1_000;
const MAX_SILENT_BEATS = 5;

/**
 * Disconnects a peer that is connected and does not answer, such as a process that was stopped. Counts
 * pings, not time: a computer that was asleep has sent none.
 */
export function watchHeartbeat(socket: WebSocket): void {
  let silentBeats = 0;
  const resetSilence = (): void => void (silentBeats = 0);
  socket.on('message', resetSilence);
  socket.on('pong', resetSilence);
  const timer = setInterval(() => {
    silentBeats += 1;
    if (silentBeats > MAX_SILENT_BEATS) socket.terminate();
    else if (socket.readyState === socket.OPEN) socket.ping();
  }, BEAT_MS);
  socket.on('close', () => clearInterval(timer));
}
