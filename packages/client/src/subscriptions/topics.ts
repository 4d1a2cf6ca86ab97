import type { SubscriptionFilter } from '../api/protocol-types.js';

/** A list whose changes can be watched. */
export interface ListTopic {
  /** The name of the list in the protocol, in filters and notifications. */
  readonly list: 'resources' | 'tools' | 'prompts';
}

/** The target of a watch: the URI of a resource, or a list. */
export type Topic = string | ListTopic;

export const RESOURCE_LIST: ListTopic = { list: 'resources' };
export const TOOL_LIST: ListTopic = { list: 'tools' };
export const PROMPT_LIST: ListTopic = { list: 'prompts' };

const LISTS = [RESOURCE_LIST, TOOL_LIST, PROMPT_LIST];

/** The topic of a notification, if it has one. */
export function topicOf(method: string, params: { [key: string]: unknown }): Topic | undefined {
  if (method === 'notifications/resources/updated') return params['uri'] as string;
  return LISTS.find(({ list }) => method === `notifications/${list}/list_changed`);
}

/** Whether a server may name a resource in place of the watched one: it is a part of it (Resources › Subscriptions). */
export function isInside(topic: Topic, watched: Topic): boolean {
  if (typeof topic !== 'string' || typeof watched !== 'string' || !topic.startsWith(watched))
    return false;
  return /[/?#]$/.test(watched) || /[/?#]/.test(topic.charAt(watched.length));
}

/** The filter of a `subscriptions/listen` request. */
export function filterOf(topics: ReadonlySet<Topic>): SubscriptionFilter {
  const filter: SubscriptionFilter = {};
  const uris: string[] = [];
  for (const topic of topics) {
    if (typeof topic === 'string') uris.push(topic);
    else filter[`${topic.list}ListChanged`] = true;
  }
  if (uris.length > 0) filter.resourceSubscriptions = uris;
  return filter;
}

/** Whether the server has agreed to report changes of a topic. */
export function isHonored(honored: SubscriptionFilter, topic: Topic): boolean {
  return typeof topic === 'string'
    ? honored.resourceSubscriptions?.includes(topic) === true
    : honored[`${topic.list}ListChanged`] === true;
}

export function equalTopics(a: ReadonlySet<Topic>, b: ReadonlySet<Topic> = new Set()): boolean {
  return a.size === b.size && [...a].every((topic) => b.has(topic));
}
