import {
  JSONRPCMessageSchema,
  ServerNotificationSchema,
  ServerRequestSchema,
  SubscriptionsAcknowledgedNotificationSchema,
} from '@modelcontextprotocol/core';
import { expect } from '@open-wc/testing';

export interface Schema {
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
