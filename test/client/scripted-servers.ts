import { connectClient, type ConnectOptions, type McpClient } from '@inpage-mcp/client';
import type { MessagePortTransport } from '@inpage-mcp/transport';
import { scriptedServer, type ScriptedServer } from './scripted-peer.js';

/** Servers that a client comes to, one after the other. */
export interface ScriptedServers {
  /** For `connectClient`. */
  open: (signal: AbortSignal) => Promise<MessagePortTransport>;
  /** The signal of each call of `open`, in order. */
  signals: AbortSignal[];
  /** The server of this number, counted from 0, as soon as a client was let to it. */
  server(index: number): Promise<ScriptedServer>;
  /** What each call of `open` waits for; a rejection is its rejection. Default: nothing. */
  gate: (call: number) => Promise<void> | void;
}

/** @param make Makes the server of a number. Default: one that answers nothing but discovery. */
export function scriptedServers(
  make: (index: number) => ScriptedServer = () => scriptedServer(),
): ScriptedServers {
  const servers: ScriptedServer[] = [];
  const waiters = new Set<() => void>();
  const signals: AbortSignal[] = [];
  const all: ScriptedServers = {
    signals,
    gate: () => undefined,
    async open(signal) {
      signals.push(signal);
      await all.gate(signals.length - 1);
      const server = make(servers.length);
      servers.push(server);
      for (const waiter of waiters) waiter();
      return server.transport;
    },
    server: (index) =>
      new Promise((resolve) => {
        const look = (): void => {
          const server = servers[index];
          if (!server) return;
          waiters.delete(look);
          resolve(server);
        };
        waiters.add(look);
        look();
      }),
  };
  return all;
}

/** A client that reconnects, and its first server. */
export async function connectToServers(
  options: ConnectOptions = {},
  all: ScriptedServers = scriptedServers(),
): Promise<{ all: ScriptedServers; client: McpClient; first: ScriptedServer }> {
  const client = await connectClient(all.open, options);
  return { all, client, first: await all.server(0) };
}

/** Resolves when a client is in a state. */
export async function inState(client: McpClient, state: McpClient['state']): Promise<void> {
  if (client.state === state) return;
  const reached = new AbortController();
  await new Promise<void>((resolve) =>
    client.watchState((now) => now === state && resolve(), { signal: reached.signal }),
  );
  reached.abort();
}

/** A promise that a test settles. */
export function pending(): {
  promise: Promise<void>;
  resolve: () => void;
  reject: (error: unknown) => void;
} {
  let resolve!: () => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<void>((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  return { promise, resolve, reject };
}

/** Resolves a task later: what had settled before has been dealt with, as has what it led to. */
export async function nextTask(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  await new Promise((resolve) => {
    port1.onmessage = resolve;
    port2.postMessage(undefined);
  });
  port1.close();
}
