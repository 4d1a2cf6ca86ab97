import type { RuntimeError } from '../worker/runtime-error.js';
import { desktopError, type DesktopErrorCode } from './desktop-error.js';
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
export class BridgeSocket {
  /** Aborts when the connection has ended, with the reason, a `RuntimeError`. */
  readonly ended: AbortSignal;
  readonly #socket: WebSocket;
  readonly #ending = new AbortController();
  readonly #frames: Frame[] = [];
  /** The number of frames that were received, and sent: on the wire, each begins with its number. */
  #received = 0;
  #sent = 0;
  #maxFrames = MAX_UNPROVEN_FRAMES;
  #maxLength = MAX_UNPROVEN_LENGTH;
  #patienceMs = OPENING_MS;
  #deadline: ReturnType<typeof setTimeout> | undefined;
  #wake: (() => void) | undefined;
  /** Set while too much data waits to be sent; resolves when enough was sent. */
  #draining: Promise<void> | undefined;

  /**
   * Connects to the bridge. The first frame is {@link OPENED}.
   *
   * @throws {DOMException} if the browser refuses the address.
   */
  constructor(port: number) {
    this.ended = this.#ending.signal;
    // The path is another one each time, because Firefox delays a path that has failed, by up to a minute.
    this.#socket = new WebSocket(`ws://127.0.0.1:${port}/page/${Math.random()}`);
    this.#socket.onopen = () => {
      this.#patienceMs = PROVING_MS;
      this.#add([OPENED]);
    };
    this.#socket.onclose = () => this.close('no-bridge');
    this.#socket.onmessage = ({ data }) => this.#receive(data as string);
    this.wait(OPENING_MS);
  }

  /** Allows longer frames, and any number of them. To be called when the bridge has proved its identity. */
  trust(): void {
    this.#maxFrames = Infinity;
    this.#maxLength = MAX_LENGTH;
  }

  /** Closes the connection if no frame arrives within this time. Each frame restarts the time. */
  wait(patienceMs: number): void {
    this.#patienceMs = patienceMs;
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => this.close('no-bridge'), patienceMs);
  }

  /**
   * The next frame of these kinds, or of any kind if none is named. Frames of other kinds are ignored:
   * later versions of the bridge may send them.
   *
   * @throws {RuntimeError} The reason why the connection has ended.
   */
  async next(...kinds: string[]): Promise<Frame> {
    for (;;) {
      this.ended.throwIfAborted();
      const frame = this.#draining ? undefined : this.#frames.shift();
      if (frame && (kinds.length === 0 || kinds.includes(frame[0]))) return frame;
      if (!frame) await (this.#draining ?? new Promise<void>((resolve) => (this.#wake = resolve)));
    }
  }

  /**
   * Sends a frame. If the connection has ended, the frame is dropped.
   *
   * @throws {RangeError} if the frame is too long.
   */
  send(...frame: Frame): void {
    const text = JSON.stringify([this.#sent + 1, ...frame]);
    // The bytes are counted only if they could be too many.
    if (text.length * 3 > MAX_SENT_BYTES && new Blob([text]).size > MAX_SENT_BYTES)
      throw new RangeError();
    this.#sent += 1;
    // `send` would throw before the socket is open, but no caller sends so early.
    this.#socket.send(text);
    if (this.#isFull) this.#draining ??= this.#drain();
  }

  /**
   * Ends the connection; only the first call counts. Returns the reason, for the caller to throw.
   *
   * @param code Default: 1000.
   */
  close(reason: DesktopErrorCode, code = 1000): RuntimeError {
    const error = desktopError(reason);
    this.#socket.close(code);
    this.#ending.abort(error);
    clearTimeout(this.#deadline);
    this.#wake?.();
    return error;
  }

  #receive(data: string): void {
    // Frames may still arrive after the page has closed the connection.
    if (this.ended.aborted) return;
    this.#received += 1;
    if (this.#received > this.#maxFrames || data.length > this.#maxLength)
      return void this.close('failed', TOO_LONG);
    try {
      // Binary data is not JSON either, so it is malformed, too.
      const [number, ...frame] = JSON.parse(data) as [number, ...Frame];
      // A frame that is repeated could be carried out twice, and one that was lost would be missing.
      if (number !== this.#received || typeof frame[0] !== 'string') throw new TypeError();
      this.#add(frame);
    } catch {
      this.close('failed', MALFORMED);
    }
  }

  #add(frame: Frame): void {
    this.wait(this.#patienceMs);
    this.#frames.push(frame);
    this.#wake?.();
  }

  get #isFull(): boolean {
    return this.#socket.bufferedAmount > MAX_UNSENT_BYTES;
  }

  /**
   * Waits until enough data was sent. A WebSocket has no event for this, so the page checks it at intervals.
   */
  async #drain(): Promise<void> {
    let last = Infinity;
    let stalledChecks = 0;
    while (this.#isFull && !this.ended.aborted) {
      const { bufferedAmount } = this.#socket;
      stalledChecks = bufferedAmount < last ? 0 : stalledChecks + 1;
      last = bufferedAmount;
      if (stalledChecks > MAX_STALLED_CHECKS) this.close('no-bridge');
      await new Promise((resolve) => setTimeout(resolve, UNSENT_CHECK_MS));
    }
    this.#draining = undefined;
  }
}
