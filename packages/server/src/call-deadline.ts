import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { timeoutError } from './protocol-errors.js';
import type { RequestHandler } from './request-handlers.js';
import { startTimer } from './start-timer.js';

/** How a handler asks the client something; meanwhile the clock stands. */
const ASKING = ['send', 'elicitInput', 'requestSampling'] as const;

type Ask = (...args: unknown[]) => Promise<unknown>;

/** The calls that are running, by the signal that each was given: it is kept in every copy of a context. */
const running = new WeakMap<AbortSignal, CallDeadline>();

/**
 * Lets a handler take no longer than it may: then its signal aborts, and the request is answered
 * without it, a tool's with `isError`, any other with −32603. Time in which the client or the page
 * is asked something does not count.
 *
 * @param timeoutMs In milliseconds; more than a timer can hold is for ever.
 */
export function withDeadline(
  method: string,
  handler: RequestHandler,
  timeoutMs: number,
): RequestHandler {
  return async (request, ctx) => {
    const deadline = new CallDeadline(timeoutMs, ctx.mcpReq.signal);
    try {
      return await deadline.race(() => handler(request, deadline.contextFrom(ctx)));
    } catch (error) {
      if (!deadline.isOver || method !== 'tools/call') throw error;
      return lateResult(timeoutMs);
    } finally {
      deadline.end();
    }
  };
}

/** Waits for an answer of the user; the call that asks, known by its signal, may take its time. */
export async function whileAsking<Value>(
  signal: AbortSignal,
  ask: () => Promise<Value>,
): Promise<Value> {
  const deadline = running.get(signal);
  deadline?.pause();
  try {
    return await ask();
  } finally {
    deadline?.resume();
  }
}

/** The time that one call has left. */
class CallDeadline {
  /** Whether the time is over. */
  isOver = false;
  readonly #timeoutMs: number;
  readonly #outer: AbortSignal;
  readonly #controller = new AbortController();
  #giveUp: ((reason: unknown) => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #leftMs: number;
  #runningSince = 0;
  #pauses = 0;

  constructor(timeoutMs: number, outer: AbortSignal) {
    this.#timeoutMs = timeoutMs;
    this.#leftMs = timeoutMs;
    this.#outer = outer;
    running.set(this.#controller.signal, this);
  }

  /** Settles with the call, or rejects when its time is over or the outer signal aborts. */
  async race(call: () => unknown): Promise<unknown> {
    this.#outer.throwIfAborted();
    this.#outer.addEventListener('abort', this.#onAbort, { once: true });
    this.#run();
    return await new Promise((resolve, reject) => {
      this.#giveUp = reject;
      (async () => await call())().then(resolve, reject);
    });
  }

  contextFrom(ctx: ServerContext): ServerContext {
    const { signal } = this.#controller;
    const mcpReq = { ...ctx.mcpReq, signal };
    for (const name of ASKING) {
      const ask = mcpReq[name] as Ask;
      const paused: Ask = (...args) => whileAsking(signal, () => ask(...args));
      Object.assign(mcpReq, { [name]: paused });
    }
    return { ...ctx, mcpReq };
  }

  /** Stops the clock. Each pause needs a {@link resume} of its own. */
  pause(): void {
    this.#pauses += 1;
    if (this.#pauses > 1) return;
    clearTimeout(this.#timer);
    this.#leftMs -= performance.now() - this.#runningSince;
  }

  resume(): void {
    this.#pauses -= 1;
    if (this.#pauses === 0 && this.#giveUp) this.#run();
  }

  /** Frees what is held; a late answer of the user starts nothing again. */
  end(): void {
    this.#giveUp = undefined;
    clearTimeout(this.#timer);
    this.#outer.removeEventListener('abort', this.#onAbort);
  }

  #run(): void {
    this.#runningSince = performance.now();
    this.#timer = startTimer(() => this.#onTimeout(), this.#leftMs);
  }

  #onTimeout(): void {
    this.isOver = true;
    const reason = timeoutError(this.#timeoutMs);
    // Before the signal: what the call makes of that must not become its answer.
    this.#giveUp?.(reason);
    this.#controller.abort(reason);
  }

  readonly #onAbort = (): void => {
    this.#giveUp?.(this.#outer.reason);
    this.#controller.abort(this.#outer.reason);
  };
}

function lateResult(timeoutMs: number): CallToolResult {
  const text = timeoutError(timeoutMs).message;
  return { content: [{ type: 'text', text }], isError: true };
}
