import type { JsonRpcError, JsonRpcResult } from '@inpage-mcp/transport';
import { expect } from '@esm-bundle/chai';
import type { RawClient } from './raw-client.js';

/** Every protocol revision that the server speaks, the newest first. */
export const REVISIONS = [
  '2026-07-28',
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
] as const;

/** The newest of each era, for what the revisions of one era have in common. */
export const ERA_REVISIONS = ['2026-07-28', '2025-11-25'] as const;

export type Revision = (typeof REVISIONS)[number];

export type Answer = JsonRpcResult | JsonRpcError;

/** Sends a request in the words of one revision. */
export type Speak = (method: string, params?: { [key: string]: unknown }) => Promise<Answer>;

export const isModern = (revision: Revision): boolean => revision === '2026-07-28';

/** Opens the conversation, and gives what carries it on. */
export async function speaking(client: RawClient, revision: Revision): Promise<Speak> {
  if (isModern(revision)) return (method, params) => client.modern(method, params);
  const answer = resultOf(await client.initialize(revision));
  expect(answer['protocolVersion']).to.equal(revision);
  return (method, params) => client.request(method, params);
}

export function resultOf(answer: Answer): { [key: string]: unknown } {
  expect(answer, JSON.stringify(answer)).to.have.property('result');
  return (answer as JsonRpcResult).result;
}

export function errorOf(answer: Answer): JsonRpcError['error'] {
  expect(answer, JSON.stringify(answer).slice(0, 500)).to.have.property('error');
  return (answer as JsonRpcError).error;
}
