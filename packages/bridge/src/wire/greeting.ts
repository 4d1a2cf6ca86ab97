import { CloseCode, type Frame } from './frames.js';
import type { FrameSocket } from './frame-socket.js';
import { GREETING_TIMEOUT_MS, MAX_GREETING_FRAMES } from './limits.js';

/** The peer has not proved who it is; its socket is closed. */
export class GreetingError extends Error {
  override readonly name = 'GreetingError';
  /** The code with which the socket was, or is to be, closed. */
  readonly code: number;

  constructor(message: string, code: number) {
    super(message);
    this.code = code;
  }
}

/** Reads the first frames of a socket, one after the other. Limits their number and the time for each. */
export class Greeting {
  readonly #socket: FrameSocket;
  readonly #frames: Frame[] = [];
  #count = 0;
  #settle: ((result: Frame | GreetingError) => void) | undefined;
  #failure: GreetingError | undefined;

  constructor(socket: FrameSocket) {
    this.#socket = socket;
    socket.onframe = (frame) => this.#receive(frame);
    socket.onclose = (code) => this.#fail(new GreetingError('The socket has closed.', code));
  }

  /** Sends a frame. */
  send(...frame: Frame): void {
    this.#socket.send(...frame);
  }

  /**
   * The next frame.
   *
   * @throws {GreetingError} if the socket closes, or if the peer sends too much or nothing.
   */
  async next(timeoutMs: number = GREETING_TIMEOUT_MS): Promise<Frame> {
    const timer = setTimeout(
      () => this.#fail(new GreetingError('The peer has not answered.', CloseCode.TimedOut)),
      timeoutMs,
    );
    try {
      return await this.#nextFrame();
    } finally {
      clearTimeout(timer);
    }
  }

  /** Rejects when the socket closes, or when the peer sends a frame. For a peer that has to wait. */
  async interruption(): Promise<never> {
    const [kind] = await this.#nextFrame();
    throw new GreetingError(`The peer has sent "${kind}".`, CloseCode.Refused);
  }

  /**
   * Ends the greeting: the socket is free for other listeners.
   *
   * @returns The frames that the peer has sent since, for these listeners.
   * @throws {GreetingError} if the socket has closed since.
   */
  release(): Frame[] {
    this.#socket.onframe = undefined;
    this.#socket.onclose = undefined;
    this.#settle = undefined;
    if (this.#failure) throw this.#failure;
    return this.#frames.splice(0);
  }

  #receive(frame: Frame): void {
    this.#count += 1;
    if (this.#count > MAX_GREETING_FRAMES)
      return this.#fail(new GreetingError('The peer sends too much.', CloseCode.TooMuch));
    const settle = this.#settle;
    // Several frames may arrive before the code that waits for the first one continues.
    this.#settle = undefined;
    if (settle) settle(frame);
    else this.#frames.push(frame);
  }

  #fail(failure: GreetingError): void {
    this.#failure ??= failure;
    this.#settle?.(this.#failure);
  }

  async #nextFrame(): Promise<Frame> {
    const waiting = this.#frames.shift();
    if (waiting) return waiting;
    if (this.#failure) throw this.#failure;
    const { promise, resolve } = withResolver<Frame | GreetingError>();
    this.#settle = resolve;
    const result = await promise;
    if (result instanceof GreetingError) throw result;
    return result;
  }
}

/** Like `Promise.withResolvers`, which Node 20 does not have. */
function withResolver<Value>(): { promise: Promise<Value>; resolve: (value: Value) => void } {
  let resolve!: (value: Value) => void;
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
