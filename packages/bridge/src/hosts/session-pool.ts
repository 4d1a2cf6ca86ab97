import type { JsonRpcMessage, JsonRpcRequest } from '@inpage-mcp/transport';
import { HostSession } from '../session/host-session.js';
import { hostFactsOf, isAnswer } from '../wire/messages.js';
import type { SharedSessionOptions } from './legacy-sessions.js';

/** How long an unused session is kept, in ms. */
const IDLE_TIMEOUT_MS = 30_000;

/** A session that serves one request at a time. */
export interface LentSession {
  readonly session: HostSession;
  /** Whether the request was answered. */
  readonly isAnswered: boolean;
  /** Called with each message to the client. */
  onmessage: (message: JsonRpcMessage) => void;
  /** Returns the session to the pool, for the next request. */
  giveBack(): void;
  /** Closes the session, because the page may still send messages about the request. */
  discard(): void;
}

interface PooledSession {
  session: HostSession;
  /** The present use; `undefined` while the session is idle. */
  lent: { isAnswered: boolean; onmessage: (message: JsonRpcMessage) => void } | undefined;
  idle: NodeJS.Timeout | undefined;
}

/**
 * Sessions for requests that need none (2026-07-28). A new session for each request would have to be opened
 * at the page each time. So a session serves one request after the other, of clients with the same name and
 * version.
 */
export class SessionPool {
  readonly #options: SharedSessionOptions;
  readonly #idle = new Map<string, PooledSession[]>();
  readonly #all = new Set<HostSession>();

  constructor(options: SharedSessionOptions) {
    this.#options = options;
  }

  /** A session that no other request uses. */
  lend(request: JsonRpcRequest): LentSession {
    const { name, version = '' } = hostFactsOf(request, this.#options.name);
    const key = `${name} ${version}`;
    const idle = this.#idle.get(key) ?? [];
    this.#idle.set(key, idle);
    const pooled = idle.pop() ?? this.#open();
    clearTimeout(pooled.idle);
    const lent = {
      session: pooled.session,
      isAnswered: false,
      onmessage: (_message: JsonRpcMessage): void => undefined,
      giveBack: () => {
        pooled.lent = undefined;
        idle.push(pooled);
        pooled.idle = setTimeout(() => {
          idle.splice(idle.indexOf(pooled), 1);
          this.#end(pooled.session);
        }, IDLE_TIMEOUT_MS);
      },
      discard: () => this.#end(pooled.session),
    };
    pooled.lent = lent;
    return lent;
  }

  close(): void {
    for (const session of this.#all) session.close();
  }

  #open(): PooledSession {
    const pooled: PooledSession = {
      session: new HostSession({
        ...this.#options,
        send: ({ ...message }) => {
          if (!pooled.lent) return;
          if (isAnswer(message)) pooled.lent.isAnswered = true;
          pooled.lent.onmessage(message);
        },
      }),
      lent: undefined,
      idle: undefined,
    };
    this.#all.add(pooled.session);
    return pooled;
  }

  #end(session: HostSession): void {
    session.close();
    this.#all.delete(session);
  }
}
