import {
  CallToolResultSchema,
  CompleteResultSchema,
  DiscoverResultSchema,
  EmptyResultSchema,
  GetPromptResultSchema,
  InitializeResultSchema,
  JSONRPCMessageSchema,
  ListPromptsResultSchema,
  ListResourcesResultSchema,
  ListResourceTemplatesResultSchema,
  ListToolsResultSchema,
  ReadResourceResultSchema,
  ServerNotificationSchema,
  ServerRequestSchema,
  SubscriptionsAcknowledgedNotificationSchema,
  SubscriptionsListenResultSchema,
} from '@modelcontextprotocol/core';
import { expect } from '@esm-bundle/chai';

interface Schema {
  parse(value: unknown): unknown;
}

/** Whatever the schema does not know is lost by parsing, except where the spec leaves room. */
export function expectStrictly(schema: Schema, value: unknown): void {
  expect(schema.parse(value)).to.deep.equal(value);
}

/**
 * Holds what a server sends of its own accord to the official schemas: notifications, and the
 * requests of the legacy era. What an answer has to be depends on what was asked.
 */
export function expectSpecified(message: {
  method?: string;
  params?: unknown;
  id?: unknown;
}): void {
  expectStrictly(JSONRPCMessageSchema, message);
  const { method, params } = message;
  if (method === undefined) return;
  const sent = params === undefined ? { method } : { method, params };
  if (message.id !== undefined) expectStrictly(ServerRequestSchema, sent);
  else if (method === 'notifications/subscriptions/acknowledged') {
    expectStrictly(SubscriptionsAcknowledgedNotificationSchema, sent);
  } else expectStrictly(ServerNotificationSchema, sent);
}

/** The official schema of the result of each method. */
export const RESULT_SCHEMAS: { [method: string]: Schema } = {
  initialize: InitializeResultSchema,
  ping: EmptyResultSchema,
  'server/discover': DiscoverResultSchema,
  'resources/list': ListResourcesResultSchema,
  'resources/templates/list': ListResourceTemplatesResultSchema,
  'resources/read': ReadResourceResultSchema,
  'resources/subscribe': EmptyResultSchema,
  'resources/unsubscribe': EmptyResultSchema,
  'subscriptions/listen': SubscriptionsListenResultSchema,
  'tools/list': ListToolsResultSchema,
  'tools/call': CallToolResultSchema,
  'prompts/list': ListPromptsResultSchema,
  'prompts/get': GetPromptResultSchema,
  'completion/complete': CompleteResultSchema,
  'logging/setLevel': EmptyResultSchema,
};

/** Holds a result to the official schema of its method. */
export function expectSpecifiedResult(
  method: string | undefined,
  result: { [key: string]: unknown },
): void {
  // A question to the user comes in place of the result of any method.
  if (result['resultType'] === 'input_required') return;
  const schema = method === undefined ? undefined : RESULT_SCHEMAS[method];
  if (schema) expectStrictly(schema, result);
}
