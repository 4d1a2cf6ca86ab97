import { MODERN_META } from '../../../support/raw-client.js';
import { isModern, type Revision } from '../../../support/revisions.js';
import type { Members } from '../outline.js';
import type { TwinClient } from '../twin-client.js';

/** Something that is said to either server in the same words. */
export interface Talk {
  /** The revisions in which it can be said. Default: all. */
  of?: (revision: Revision) => boolean;
  /** What the client declares. Default: nothing. */
  capabilities?: Members;
  /** Whether the server has no tools, no prompts and no resources. */
  isBare?: true;
  /** Whether the talk opens the connection itself. */
  isOpening?: true;
  say: (client: TwinClient) => Promise<unknown>;
}

/** Talks by their names. */
export interface Talks {
  [name: string]: Talk;
}

export const isLegacy = (revision: Revision): boolean => !isModern(revision);

/** The revisions in which users can be asked during a call. */
export const hasElicitation = (revision: Revision): boolean =>
  isLegacy(revision) && revision >= '2025-06-18';

export const FIELD = 'io.modelcontextprotocol';

export const ALL_CAPABILITIES = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {} },
  roots: { listChanged: true },
};

/** Params that say what the client of the modern era can do. */
export const able = (capabilities: Members, params: Members = {}): Members => ({
  ...params,
  _meta: { [`${FIELD}/clientCapabilities`]: capabilities },
});

/** A request as it is. */
export const raw = (id: unknown, method: unknown, more: Members = {}): Members => ({
  jsonrpc: '2.0',
  id,
  method,
  ...more,
});

/** A request that says nothing of its era. */
export const bare = (id: unknown, method: string, params: Members = {}): Members =>
  raw(id, method, { params });

/** A request of the modern era. */
export const modern = (id: unknown, method: string, params: Members = {}): Members =>
  raw(id, method, { params: { ...params, _meta: MODERN_META } });

/** A talk that posts some messages, one after the other. */
export const posts =
  (...messages: unknown[]): Talk['say'] =>
  async (client) => {
    for (const message of messages) {
      client.post(message);
      await client.settled();
    }
  };

/** Sends a request, and waits until it is dealt with. */
export async function asked(
  client: TwinClient,
  method: string,
  params: Members = {},
  id?: string | number,
): Promise<string | number> {
  const sent = client.send(method, params, id);
  await client.settled();
  return sent;
}

/** Calls a tool. */
export const call = (client: TwinClient, tool: string, more: Members = {}): string | number =>
  client.send('tools/call', { name: tool, arguments: {}, ...more });

/** Calls a tool, and waits until that is dealt with. */
export async function called(client: TwinClient, tool: string, more: Members = {}): Promise<void> {
  call(client, tool, more);
  await client.settled();
}

/** Takes a request back. */
export const cancel = (client: TwinClient, requestId: unknown): void =>
  client.notify('notifications/cancelled', { requestId, reason: 'not needed' });

/** The tools that ask their client. */
export const ASKING = [
  'asks_name',
  'asks_with_state',
  'asks_with_wrong_state',
  'asks_address',
  'asks_model',
  'asks_model_with_tools',
  'asks_roots',
  'asks_all',
  'asks_nothing',
];
