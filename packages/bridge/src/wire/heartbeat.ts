import type { WebSocket } from 'ws';

/** How often a peer is asked for a sign of life, in ms, and how often it may give none. */
const BEAT_MS = 1_000;
const MAX_SILENT_BEATS = 5;

/**
 * Disconnects a peer that is there and answers nothing, such as a process that was stopped. Beats are
 * counted, not time: a machine that was asleep has missed none.
 */
export function watchHeartbeat(socket: WebSocket): void {
  let silentBeats = 0;
  const hear = (): void => void (silentBeats = 0);
  socket.on('message', hear);
  socket.on('pong', hear);
  const timer = setInterval(() => {
    silentBeats += 1;
    if (silentBeats > MAX_SILENT_BEATS) socket.terminate();
    else if (socket.readyState === socket.OPEN) socket.ping();
  }, BEAT_MS);
  socket.on('close', () => clearInterval(timer));
}
