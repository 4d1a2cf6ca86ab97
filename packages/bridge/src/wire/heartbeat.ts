import type { WebSocket } from 'ws';
import { DEADLINES } from './limits.js';

/** The time between two pings, in ms. */
const BEAT_MS = 1_000;

/**
 * Disconnects a peer that is connected but does not answer, such as a process that was stopped. Counts pings,
 * not time, because a computer that was asleep has sent no pings.
 *
 * @param answerMs The timeout for the answers to pings, in ms.
 */
export function watchHeartbeat(socket: WebSocket, answerMs: number = DEADLINES.hubAnswerMs): void {
  let silentBeats = 0;
  const resetSilence = (): void => void (silentBeats = 0);
  socket.on('message', resetSilence);
  socket.on('pong', resetSilence);
  const timer = setInterval(() => {
    silentBeats += 1;
    if (silentBeats > answerMs / BEAT_MS) socket.terminate();
    else if (socket.readyState === socket.OPEN) socket.ping();
  }, BEAT_MS);
  socket.on('close', () => clearInterval(timer));
}
