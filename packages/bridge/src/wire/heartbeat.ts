import type { WebSocket } from 'ws';
import { DEADLINES } from './limits.js';

/** The time between two pings, in ms. */
const BEAT_MS = 1_000;

/**
 * Disconnects a peer that is connected and does not answer, such as a process that was stopped. Counts
 * pings, not time: a computer that was asleep has sent none.
 *
 * @param answerMs For how long pings may stay without an answer, in ms.
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
