import type { JsonRpcMessage, RequestId } from '@inpage-mcp/transport';
import { isAnswer, notification, type JsonRpcAnswer } from '../wire/messages.js';

type Result = { [key: string]: unknown } | undefined;

/** The questions of the bridge itself to a host, such as whether a page may be paired. */
export class OwnQuestions {
  readonly #send: (message: JsonRpcMessage) => void;
  readonly #open = new Map<RequestId, (answer: JsonRpcAnswer | undefined) => void>();
  #lastId = 0;

  /** @param send Sends a message to the host. */
  constructor(send: (message: JsonRpcMessage) => void) {
    this.#send = send;
  }

  /**
   * Asks the host.
   *
   * @returns The result; `undefined` if the host answers with an error, the session ends, or the signal aborts.
   */
  ask(method: string, params: { [key: string]: unknown }, signal: AbortSignal): Promise<Result> {
    this.#lastId += 1;
    const id = `inpage-bridge-ask-${this.#lastId}`;
    return new Promise((resolve) => {
      const cancel = (): void => {
        this.#open.delete(id);
        this.#send(notification('notifications/cancelled', { requestId: id }));
        resolve(undefined);
      };
      this.#open.set(id, (answer) => {
        signal.removeEventListener('abort', cancel);
        resolve(answer && 'result' in answer ? answer.result : undefined);
      });
      signal.addEventListener('abort', cancel, { once: true });
      this.#send({ jsonrpc: '2.0', id, method, params });
    });
  }

  /** Receives a message from the host. Returns whether it answers a question of the bridge. */
  settle(message: JsonRpcMessage): boolean {
    if (!isAnswer(message) || message.id === undefined) return false;
    const settle = this.#open.get(message.id);
    this.#open.delete(message.id);
    settle?.(message);
    return settle !== undefined;
  }

  /** Ends the questions with the session: resolves all open ones with `undefined`. */
  close(): void {
    for (const settle of this.#open.values()) settle(undefined);
    this.#open.clear();
  }
}
