import type { RuntimeError } from '../worker/runtime-error.js';
import type { DesktopErrorCode, Fail } from './desktop-error.js';
import {
  MALFORMED,
  MAX_LENGTH,
  MAX_SENT_BYTES,
  MAX_STALLED_CHECKS,
  MAX_UNPROVEN_FRAMES,
  MAX_UNPROVEN_LENGTH,
  MAX_UNSENT_BYTES,
  OPENED,
  OPENING_MS,
  PROVING_MS,
  TOO_LONG,
  UNSENT_CHECK_MS,
} from './wire.js';

/** A message between page and bridge: its kind, and its values. Nothing in it is checked yet. */
export type Frame = readonly [kind: string, ...values: unknown[]];

/** One connection to the bridge. The page reads the next frame when it has handled the last one. */
export interface BridgeSocket {
  /** Aborts when the connection has ended, with the reason, a `RuntimeError`. */
  readonly ended: AbortSignal;
  /** Call this when the bridge has proved itself: it allows longer frames, and any number of them. */
  trust(): void;
  /** Closes the connection if no frame arrives within this time. Each frame restarts the time. */
  wait(patienceMs: number): void;
  /**
   * The next frame of these kinds, or of any kind if none is named. Frames of other kinds are ignored:
   * later versions of the bridge may send them.
   *
   * @throws {RuntimeError} why the connection has ended.
   */
  next(...kinds: string[]): Promise<Frame>;
  /**
   * Sends a frame. If the connection has ended, the frame is dropped.
   *
   * @throws {RangeError} if the frame is too long.
   */
  send(...frame: Frame): void;
  /**
   * Ends the connection; only the first call counts. Returns the reason, for the caller to throw.
   *
   * @param code Default: 1000.
   */
  close(reason: DesktopErrorCode, code?: number): RuntimeError;
}

/**
 * Connects to the bridge. The first frame is {@link OPENED}.
 *
 * @throws {DOMException} if the browser refuses the address.
 */
export function openSocket(port: number, fail: Fail): BridgeSocket {
  // Another path each time: Firefox delays a path that has failed, by up to a minute.
  const socket = new WebSocket(`ws://127.0.0.1:${port}/page/${Math.random()}`);
  const ending = new AbortController();
  const ended = ending.signal;
  const frames: Frame[] = [];
  let frameCount = 0;
  let maxFrames = MAX_UNPROVEN_FRAMES;
  let maxLength = MAX_UNPROVEN_LENGTH;
  let patienceMs = OPENING_MS;
  let deadline: ReturnType<typeof setTimeout> | undefined;
  let wake: (() => void) | undefined;
  /** Set while too much data waits to be sent; resolves when enough was sent. */
  let draining: Promise<void> | undefined;

  const wait = (nextMs: number): void => {
    patienceMs = nextMs;
    clearTimeout(deadline);
    deadline = setTimeout(() => close('no-bridge'), patienceMs);
  };

  const close: BridgeSocket['close'] = (reason, code = 1000) => {
    const error = fail(reason);
    socket.close(code);
    ending.abort(error);
    clearTimeout(deadline);
    wake?.();
    return error;
  };

  const add = (frame: Frame): void => {
    wait(patienceMs);
    frames.push(frame);
    wake?.();
  };

  const isFull = (): boolean => socket.bufferedAmount > MAX_UNSENT_BYTES;

  /** A WebSocket has no event for this, so the page checks it at intervals. */
  const drain = async (): Promise<void> => {
    let last = Infinity;
    let stalledChecks = 0;
    while (isFull() && !ended.aborted) {
      const { bufferedAmount } = socket;
      stalledChecks = bufferedAmount < last ? 0 : stalledChecks + 1;
      last = bufferedAmount;
      if (stalledChecks > MAX_STALLED_CHECKS) close('no-bridge');
      await new Promise((resolve) => setTimeout(resolve, UNSENT_CHECK_MS));
    }
    draining = undefined;
  };

  socket.onopen = () => {
    patienceMs = PROVING_MS;
    add([OPENED]);
  };
  socket.onclose = () => close('no-bridge');
  socket.onmessage = ({ data }) => {
    // Frames may still arrive after the page has closed the connection.
    if (ended.aborted) return;
    frameCount += 1;
    if (frameCount > maxFrames || data.length > maxLength) return void close('failed', TOO_LONG);
    try {
      // Binary data is not JSON either, so it is malformed, too.
      const frame = JSON.parse(data as string) as Frame;
      const [kind] = frame;
      if (typeof kind !== 'string') throw new TypeError();
      add(frame);
    } catch {
      close('failed', MALFORMED);
    }
  };
  wait(OPENING_MS);

  return {
    ended,
    wait,
    close,
    trust() {
      maxFrames = Infinity;
      maxLength = MAX_LENGTH;
    },
    async next(...kinds) {
      for (;;) {
        ended.throwIfAborted();
        const frame = draining ? undefined : frames.shift();
        if (frame) {
          const [kind] = frame;
          if (kinds.length === 0 || kinds.includes(kind)) return frame;
        } else await (draining ?? new Promise<void>((resolve) => (wake = resolve)));
      }
    },
    send(...frame) {
      const text = JSON.stringify(frame);
      // Counts the bytes only if they could be too many.
      if (text.length * 3 > MAX_SENT_BYTES && new Blob([text]).size > MAX_SENT_BYTES)
        throw new RangeError();
      // Before the socket is open, `send` would throw; no caller sends so early.
      socket.send(text);
      if (isFull()) draining ??= drain();
    },
  };
}
