import type { RawData, WebSocket } from 'ws';
import { CloseCode, parseFrame, type Frame } from './frames.js';
import { HIGH_WATER_BYTES, STALL_TIMEOUT_MS } from './limits.js';

/** The timeout for the peer's answer to a close, in ms. */
const CLOSE_TIMEOUT_MS = 1_000;

/** The interval at which the socket checks whether a slow peer reads, in ms. */
const STALL_CHECK_MS = 100;

/** Frames over a WebSocket. A text that is not the next frame closes it. */
export class FrameSocket {
  /** Called with each frame, in order. */
  onframe?: ((frame: Frame) => void) | undefined;
  /** Called once, when the socket has closed, for any reason. */
  onclose?: ((code: number) => void) | undefined;
  /** Called when too much data waits to be sent (`true`), and when most of it was sent (`false`). */
  onpressure?: ((isHigh: boolean) => void) | undefined;
  /** The maximum length of a frame that the peer accepts, in UTF-16 code units. Default: no limit. */
  maxSentLength = Infinity;
  readonly #socket: WebSocket;
  readonly #bytesRead: () => number;
  #stallCheck: NodeJS.Timeout | undefined;
  /** The number of frames that were sent, and received. */
  #sent = 0;
  #received = 0;

  /**
   * @param socket A socket from which nothing was read.
   * @param bytesRead The number of bytes that have arrived, including those of incomplete frames. Default:
   *   unknown.
   */
  constructor(socket: WebSocket, bytesRead: () => number = () => 0) {
    this.#socket = socket;
    this.#bytesRead = bytesRead;
    socket.on('message', (message, isBinary) => this.#receive(message, isBinary));
    socket.on('close', (code) => {
      clearInterval(this.#stallCheck);
      this.onclose?.(code);
    });
    // After an error, the socket emits `close`, which is handled above.
    socket.on('error', () => undefined);
  }

  /** The number of bytes that have arrived. If it grows, the peer is alive. */
  get bytesRead(): number {
    return this.#bytesRead();
  }

  /**
   * Sends a frame, unless the socket is closing.
   *
   * @throws {RangeError} if the content is nested too deep to be written, or too long for the peer.
   */
  send(...frame: Frame): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    const text = JSON.stringify([this.#sent + 1, ...frame]);
    if (text.length > this.maxSentLength) throw new RangeError('The frame is too long.');
    this.#sent += 1;
    this.#socket.send(text);
    if (this.#socket.bufferedAmount > HIGH_WATER_BYTES) this.#watchStall();
  }

  /** Closes the socket. A peer that does not answer is disconnected. */
  close(code: number): void {
    this.#socket.close(code);
    setTimeout(() => this.#socket.terminate(), CLOSE_TIMEOUT_MS).unref();
  }

  #receive(message: RawData, isBinary: boolean): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#received += 1;
    const text = isBinary ? '' : (message as Buffer).toString('utf8');
    const frame = parseFrame(text, this.#received);
    if (!frame || !this.#deliver(frame)) this.close(CloseCode.Malformed);
  }

  /**
   * Delivers a frame; returns whether it is valid. A frame that `JSON.parse` accepts may be nested too deep
   * for `JSON.stringify`.
   */
  #deliver(frame: Frame): boolean {
    try {
      this.onframe?.(frame);
      return true;
    } catch (error) {
      if (error instanceof RangeError) return false;
      throw error;
    }
  }

  /** Waits until the peer has read most of the data. If it reads nothing for too long, disconnects it. */
  #watchStall(): void {
    if (this.#stallCheck) return;
    this.onpressure?.(true);
    let least = this.#socket.bufferedAmount;
    let movedAt = performance.now();
    this.#stallCheck = setInterval(() => {
      const amount = this.#socket.bufferedAmount;
      if (amount <= HIGH_WATER_BYTES / 2) return this.#endStall();
      if (amount < least) {
        least = amount;
        movedAt = performance.now();
      } else if (performance.now() - movedAt > STALL_TIMEOUT_MS) this.#socket.terminate();
    }, STALL_CHECK_MS);
  }

  #endStall(): void {
    clearInterval(this.#stallCheck);
    this.#stallCheck = undefined;
    this.onpressure?.(false);
  }
}
