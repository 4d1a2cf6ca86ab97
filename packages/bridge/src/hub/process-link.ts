import { isJsonRpcMessage, type JsonRpcMessage } from '@inpage-mcp/transport';
import { randomBytes } from 'node:crypto';
import { areEqual, decodeBytes, encodeBytes } from '../proof/bytes.js';
import { NONCE_BYTES } from '../proof/pairing.js';
import { processProof } from '../proof/process-proof.js';
import { CloseCode, isObject, type Frame } from '../wire/frames.js';
import type { FrameSocket } from '../wire/frame-socket.js';
import { GreetingError, type Greeting } from '../wire/greeting.js';
import { cannotBePassed, isRequest, parseHostFacts } from '../wire/messages.js';
import type { BridgeStatus, Entry, PageRouter } from '../wire/router.js';

/**
 * Checks that a process belongs to the same user: both sides prove that they can read the state file.
 *
 * @returns The origins of the pages that its user has configured.
 * @throws {GreetingError} if the process does not prove it.
 */
export async function greetProcess(
  greeting: Greeting,
  { secret, port }: { secret: Uint8Array; port: number },
): Promise<string[]> {
  const [kind, body] = await greeting.next();
  const nonce = isObject(body) && body['version'] === 1 && decodeBytes(body['nonce'], NONCE_BYTES);
  if (kind !== 'hello' || !nonce)
    throw new GreetingError('The process speaks another version.', CloseCode.Malformed);
  const hubNonce = randomBytes(NONCE_BYTES);
  const facts = { port, nonce, hubNonce };
  greeting.send('challenge', {
    nonce: encodeBytes(hubNonce),
    proof: encodeBytes(processProof(secret, 'hub', facts)),
  });
  const [next, proof, origins] = await greeting.next();
  const bytes = next === 'proof' ? decodeBytes(proof, NONCE_BYTES) : undefined;
  if (!bytes || !areEqual(bytes, processProof(secret, 'process', facts)))
    throw new GreetingError('The proof of the process is wrong.', CloseCode.WrongProof);
  return Array.isArray(origins) ? origins.filter((origin) => typeof origin === 'string') : [];
}

/** The handlers of the requests of a process to the hub. */
export interface ProcessLinkHandlers {
  router: PageRouter;
  onanswer(code: string, isAccepted: boolean): void;
  /** Pairings were deleted from the state file. */
  ondeletedpairings(): void;
  onclose(): void;
}

interface ProcessSession {
  entry: Entry;
  /**
   * The number of times that a page has opened the session: a message to an earlier page must not reach a
   * later page.
   */
  opening: number;
}

/** Another bridge process, whose sessions pass through this one. */
export class ProcessLink {
  readonly #socket: FrameSocket;
  readonly #handlers: ProcessLinkHandlers;
  readonly #sessions = new Map<unknown, ProcessSession>();

  constructor(socket: FrameSocket, handlers: ProcessLinkHandlers) {
    this.#socket = socket;
    this.#handlers = handlers;
    socket.onframe = (frame) => this.#receive(frame);
    socket.onpressure = undefined;
    socket.onclose = () => {
      for (const { entry } of this.#sessions.values()) entry.close();
      handlers.onclose();
    };
  }

  /** Notifies the process of the status. */
  setStatus(status: BridgeStatus): void {
    this.#socket.send('status', status);
  }

  close(code: number): void {
    this.#socket.close(code);
  }

  #receive([kind, first, second, third]: Frame): void {
    if (kind === 'enter') return this.#enter(first, second);
    if (kind === 'answer') return this.#handlers.onanswer(String(first), second === true);
    if (kind === 'pairings-deleted') return this.#handlers.ondeletedpairings();
    const session = this.#sessions.get(first);
    if (!session) return;
    if (kind === 'm' && second === session.opening && isJsonRpcMessage(third))
      this.#pass(first, session, third);
    if (kind === 'leave') {
      this.#sessions.delete(first);
      session.entry.close();
    }
  }

  #pass(id: unknown, { entry, opening }: ProcessSession, message: JsonRpcMessage): void {
    try {
      entry.send(message);
    } catch {
      if (isRequest(message)) this.#socket.send('m', id, opening, cannotBePassed(message));
    }
  }

  #enter(id: unknown, value: unknown): void {
    const facts = parseHostFacts(value);
    if (!Number.isSafeInteger(id) || this.#sessions.has(id) || !facts)
      return this.close(CloseCode.Malformed);
    const session: ProcessSession = {
      entry: { send: () => undefined, close: () => undefined },
      opening: 0,
    };
    this.#sessions.set(id, session);
    session.entry = this.#handlers.router.enter(facts, {
      onopened: () => {
        session.opening += 1;
        this.#socket.send('opened', id, session.opening);
      },
      onmessage: (message) => this.#socket.send('m', id, session.opening, message),
      ongone: () => this.#socket.send('gone', id),
      onunserved: (reason) => this.#socket.send('unserved', id, reason),
      onpressure: (isHigh) => this.#socket.send('pressure', id, isHigh),
    });
  }
}
