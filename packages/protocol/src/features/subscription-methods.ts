import type { Call } from '../calls/call.js';
import type { Method } from './methods.js';
import { invalidParams, type ProtocolError } from '../wire/errors.js';
import { LISTEN } from '../wire/keys.js';
import { boolean, listOf, object, optional, string } from '../wire/shapes.js';
import type { Params, ServerCapabilities } from '../wire/types.js';
import {
  LISTS,
  type ListName,
  type SubscriptionFilter,
  type Subscriptions,
} from '../subscriptions/subscriptions.js';

/** The result of a stream that stays open: it is answered later, or never. */
export const STREAM: object = {};

/** The parts of a connection that its subscriptions use. */
export interface SubscriptionParts {
  subscriptions: Subscriptions;
  capabilities(): ServerCapabilities;
  /** Notifies the client that a stream is open, with the changes that it will report. */
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

/** The methods with which a connection subscribes, of both eras. */
export function subscriptionMethods(parts: SubscriptionParts): [name: string, method: Method][] {
  const { subscriptions, capabilities } = parts;
  const isOffered = (): boolean => capabilities().resources?.subscribe === true;
  return [
    [
      LISTEN,
      {
        era: 'modern',
        params: FILTER,
        uris: ({ notifications }) => (notifications as WantedFilter).resourceSubscriptions ?? [],
        run: (params, call) => listen(parts, params, call),
      },
    ],
    // A uri need not exist: its subscriber is notified when it is created.
    [
      'resources/subscribe',
      {
        era: 'legacy',
        isOffered,
        params: URI,
        uris: ({ uri }) => [uri as string],
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
        uris: ({ uri }) => [uri as string],
        run({ uri }) {
          subscriptions.delete(uri as string);
          return {};
        },
      },
    ],
  ];
}

/** Opens a stream, and acknowledges it before it reports changes (Utilities › Subscriptions). */
function listen(
  { subscriptions, capabilities, acknowledge }: SubscriptionParts,
  { notifications }: Params,
  call: Call,
): object {
  const filter = supportedFilter(notifications as WantedFilter, capabilities());
  if (!subscriptions.open(call.id, filter)) throw tooManyError(subscriptions.limit);
  acknowledge(call, filter);
  return STREAM;
}

/** The filter of a client, after the check of the params. */
type WantedFilter = { [list in `${ListName}ListChanged`]?: boolean } & {
  resourceSubscriptions?: readonly string[];
};

/** The part of a filter that the server supports. */
function supportedFilter(
  wanted: WantedFilter,
  capabilities: ServerCapabilities,
): SubscriptionFilter {
  const filter: SubscriptionFilter = {};
  for (const list of LISTS) {
    const key = `${list}ListChanged` as const;
    if (wanted[key] === true && capabilities[list]?.listChanged) filter[key] = true;
  }
  const uris = wanted.resourceSubscriptions;
  if (uris && uris.length > 0 && capabilities.resources?.subscribe) {
    filter.resourceSubscriptions = [...uris];
  }
  return filter;
}

/** The error for a connection that would exceed the limit of subscribed uris: −32602. */
function tooManyError(limit: number): ProtocolError {
  const text = `A connection subscribes to at most ${limit} uris: end some first.`;
  return invalidParams(text, { limit: 'subscriptions', maximum: limit });
}
