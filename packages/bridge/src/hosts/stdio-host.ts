import type { Readable, Writable } from 'node:stream';
import { isJsonRpcMessage, type JsonRpcMessage } from '@inpage-mcp/transport';
import { HostSession, type HostSessionOptions } from '../session/host-session.js';
import { LISTEN } from '../session/remembered.js';
import { isObject } from '../wire/frames.js';
import {
  DEADLINES,
  MAX_HOST_MESSAGE_BYTES,
  MAX_STDIO_LINE_BYTES,
  MAX_UNREAD_BYTES,
} from '../wire/limits.js';
import { isAnswer, isNotification, isRequest, TooLongError } from '../wire/messages.js';
import { LineReader } from './line-reader.js';

/** Options for serving a host over stdio. */
export interface StdioHostOptions extends Omit<HostSessionOptions, 'send' | 'setPaused'> {
  /** Called once, when the host has closed stdin and has its answers, or does not read stdout. */
  onclose: () => void;
  /** The input of the host. Default: that of this process, as for the output. */
  stdin?: Readable;
  stdout?: Writable;
}

/**
 * Serves the host that has started this process. A message is a line of JSON. If the host closes stdin, it
 * still gets the answers to its earlier requests, for at most `deadlines.lastAnswersMs`.
 */
export function serveStdioHost({
  onclose,
  stdin = process.stdin,
  stdout = process.stdout,
  ...options
}: StdioHostOptions): HostSession {
  let isClosed = false;
  let lastAnswers: NodeJS.Timeout | undefined;
  const unanswered = new UnansweredRequests();
  const close = (): void => {
    if (isClosed) return;
    isClosed = true;
    stdin.pause();
    clearTimeout(lastAnswers);
    session.close();
    onclose();
  };
  const write = (line: string): void => {
    if (isClosed) return;
    // All lines of one turn are written at once.
    if (stdout.writableCorked === 0) {
      stdout.cork();
      process.nextTick(() => stdout.uncork());
    }
    stdout.write(line);
    if (stdout.writableLength > MAX_UNREAD_BYTES) close();
  };
  const session = new HostSession({
    ...options,
    send(message) {
      write(lineOf(message));
      unanswered.onsent(message);
    },
    setPaused(isPaused) {
      if (isPaused) stdin.pause();
      else stdin.resume();
    },
  });
  const reader = new LineReader(MAX_HOST_MESSAGE_BYTES, (line) => {
    const message = parseLine(line);
    if (message && 'refused' in message) return write(lineOf(message.refused));
    if (!message) return;
    unanswered.onreceived(message);
    session.receive(message);
  });
  stdin.on('data', (chunk: Buffer) => {
    try {
      if (!isClosed) reader.push(chunk);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      console.error('inpage-mcp bridge: stdin:', error.message);
      close();
    }
  });
  stdin.on('end', () => {
    if (isClosed) return;
    reader.end();
    lastAnswers = setTimeout(close, (options.deadlines ?? DEADLINES).lastAnswersMs);
    // The callback runs when everything that was written before has left this process.
    unanswered.whenNone(() => stdout.write('', close));
  });
  // After `end`, `close` follows at once.
  stdin.on('close', () => stdin.readableEnded || close());
  stdin.on('error', close);
  stdout.on('error', close);
  return session;
}

/** The unanswered requests of a host. A stream does not count, because it is answered only when it ends. */
class UnansweredRequests {
  readonly #ids = new Set<unknown>();
  #onnone: (() => void) | undefined;

  onreceived(message: JsonRpcMessage): void {
    if (isRequest(message) && message.method !== LISTEN) this.#ids.add(message.id);
    // A request that the host has cancelled gets no answer.
    if (isNotification(message) && message.method === 'notifications/cancelled')
      this.#ids.delete(message.params?.['requestId']);
  }

  onsent(message: JsonRpcMessage): void {
    if (isAnswer(message) && this.#ids.delete(message.id) && this.#ids.size === 0) this.#onnone?.();
  }

  /** Calls a function when all requests are answered. */
  whenNone(onnone: () => void): void {
    this.#onnone = onnone;
    if (this.#ids.size === 0) onnone();
  }
}

/** @throws {RangeError} if the message is nested too deep, or too long for clients of the official SDK. */
function lineOf(message: object): string {
  const line = `${JSON.stringify(message)}\n`;
  const size = Buffer.byteLength(line);
  if (size > MAX_STDIO_LINE_BYTES) throw new TooLongError(size, MAX_STDIO_LINE_BYTES);
  return line;
}

const refused = (code: number, message: string, id: unknown = null): { refused: object } => ({
  refused: { jsonrpc: '2.0', id, error: { code, message } },
});

/** The message of a line, or the error with which it is answered; `undefined` if it gets no answer. */
function parseLine(line: string): JsonRpcMessage | { refused: object } | undefined {
  if (!line.trim()) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return refused(-32_700, 'The line is not JSON.');
  }
  if (isJsonRpcMessage(value)) return value;
  if (!isObject(value)) return refused(-32_600, 'The line is not a JSON-RPC message.');
  // An error in answer to an answer could be answered with an error again.
  if ('result' in value || 'error' in value) return undefined;
  const { id } = value;
  const isId = typeof id === 'string' || Number.isSafeInteger(id);
  return refused(-32_600, 'The line is not a JSON-RPC request.', isId ? id : null);
}
