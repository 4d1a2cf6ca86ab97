import type { Call } from '../calls/call.js';
import type { Method } from './methods.js';
import { invalidParams, type ProtocolError } from '../wire/errors.js';
import { LISTEN } from '../wire/keys.js';
import { boolean, listOf, object, optional, string } from '../wire/shapes.js';
import type { Params, ServerCapabilities } from '../wire/types.js';
import {
  LISTS,
  type SubscriptionFilter,
  type Subscriptions,
} from '../subscriptions/subscriptions.js';

/** What is answered later, or never: a stream stays open. */
export const STREAM: object = {};

/** What subscriptions of one connection need of it. */
export interface SubscriptionParts {
  subscriptions: Subscriptions;
  capabilities(): ServerCapabilities;
  /** Sends that a stream is open, with what it will report. */
  acknowledge(call: Call, notifications: SubscriptionFilter): void;
}

const FILTER = object({
  notifications: object({
    toolsListChanged: optional(boolean),
    promptsListChanged: optional(boolean),
    resourcesListChanged: optional(boolean),
    resourceSubscriptions: optional(listOf(string)),
  }),
});

const URI = object({ uri: string });

/** The methods with which a connection subscribes, in the way of either era. */
export function subscriptionMethods(parts: SubscriptionParts): [name: string, method: Method][] {
  const { subscriptions, capabilities } = parts;
  const isOffered = (): boolean => capabilities().resources?.subscribe === true;
  return [
    [LISTEN, { era: 'modern', params: FILTER, run: (params, call) => listen(parts, params, call) }],
    // A uri need not exist: its subscriber is notified when it is created.
    [
      'resources/subscribe',
      {
        era: 'legacy',
        isOffered,
        params: URI,
        run({ uri }) {
          if (!subscriptions.add(uri as string)) throw tooManyError(subscriptions.limit);
          return {};
        },
      },
    ],
    [
      'resources/unsubscribe',
      {
        era: 'legacy',
        isOffered,
        params: URI,
        run({ uri }) {
          subscriptions.delete(uri as string);
          return {};
        },
      },
    ],
  ];
}

/** Opens a stream: it is acknowledged before it reports anything (Utilities › Subscriptions). */
function listen(
  { subscriptions, capabilities, acknowledge }: SubscriptionParts,
  { notifications }: Params,
  call: Call,
): object {
  const filter = honored(notifications as WantedFilter, capabilities());
  if (!subscriptions.open(call.id, filter)) throw tooManyError(subscriptions.limit);
  acknowledge(call, filter);
  return STREAM;
}

type WantedFilter = { [key in keyof SubscriptionFilter]: unknown };

/** What of a filter the server can report. */
function honored(wanted: WantedFilter, capabilities: ServerCapabilities): SubscriptionFilter {
  const filter: SubscriptionFilter = {};
  for (const list of LISTS) {
    const key = `${list}ListChanged` as const;
    if (wanted[key] === true && capabilities[list]?.listChanged) filter[key] = true;
  }
  const uris = wanted.resourceSubscriptions as string[] | undefined;
  if (uris && uris.length > 0 && capabilities.resources?.subscribe) {
    filter.resourceSubscriptions = [...uris];
  }
  return filter;
}

/** A connection listens to as many uris as it may: −32602. */
function tooManyError(limit: number): ProtocolError {
  const text = `A connection subscribes to at most ${limit} uris: end some first.`;
  return invalidParams(text, { limit: 'subscriptions', maximum: limit });
}
