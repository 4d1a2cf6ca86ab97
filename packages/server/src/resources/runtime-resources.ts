import type { ChangeAuthor } from '@inpage-mcp/store';
import type { Resource, ResourceTemplate } from '@inpage-mcp/protocol';
import type { ActivityEntry } from '../activity/activity-log.js';
import type { ProvidedView } from './provided-resources.js';
import type { ProviderHost } from './provider-host.js';
import {
  BadPositionError,
  type ResourceContents,
  type ResourceProvider,
} from './resource-provider.js';
import { storageReport } from './storage-report.js';

/** The address of the report about the stored data and the available space. */
const STORAGE_URI = 'inpage:///storage';
/** The address of the log of the connections' requests. */
const ACTIVITY_URI = 'inpage:///activity';

const JSON_TYPE = 'application/json';
const NO_TEMPLATES: readonly ResourceTemplate[] = [];

const DATA_METHODS: readonly string[] = ['resources/read', 'tools/call', 'prompts/get'];

const OWN_RESOURCES: readonly Resource[] = [
  {
    uri: STORAGE_URI,
    name: 'storage',
    title: 'Storage',
    description: 'How many notes and files this browser holds, and how much room there is.',
    mimeType: JSON_TYPE,
  },
  {
    uri: ACTIVITY_URI,
    name: 'activity',
    title: 'Activity',
    description: 'What MCP clients of this page asked for lately, the newest first.',
    mimeType: JSON_TYPE,
  },
];

/** The server's own resources with numbers that put them last, after all provided resources. */
const OWN_NUMBERED = OWN_RESOURCES.map(
  (resource, index) => [Number.MAX_SAFE_INTEGER - OWN_RESOURCES.length + index, resource] as const,
);

/**
 * The resources that exist only while the page is open: those that the page provides
 * (`runtime.provide`), `inpage:///storage` and `inpage:///activity`.
 */
export function runtimeResources(): (host: ProviderHost) => ResourceProvider {
  return (host) => {
    host.provided.serve();
    return runtimeProvider(host);
  };
}

function runtimeProvider({ store, activity, provided, history }: ProviderHost): ResourceProvider {
  return {
    name: 'runtime',
    templates: NO_TEMPLATES,
    list: async ({ after, limit }) => pageOf(provided, after, limit),
    async read(uri, call) {
      if (uri === STORAGE_URI) return json(uri, await storageReport(store));
      if (uri === ACTIVITY_URI) {
        return json(uri, { entries: activity.entries, changes: await history?.list() });
      }
      return await provided.read(uri, call);
    },
    listen(listener) {
      const stops = [
        provided.listen((change) => listener([change])),
        store.changes.listen((changes, author) => {
          const isCleared = changes.some(({ kind }) => kind === 'everything');
          // The log may have been cleared too, or a client of another tab has written.
          const isLogged = isCleared || (history !== undefined && isOfTab(author));
          const uris = isLogged ? [STORAGE_URI, ACTIVITY_URI] : [STORAGE_URI];
          listener(uris.map((uri) => ({ uri, listChanged: false })));
        }),
        history?.listen(() => listener([{ uri: ACTIVITY_URI, listChanged: false }])),
        activity.listen((entry) => {
          if (isAnnounced(entry)) listener([{ uri: ACTIVITY_URI, listChanged: false }]);
        }),
      ];
      return () => stops.forEach((stop) => stop?.());
    },
  };
}

const isOfTab = (author: ChangeAuthor | undefined): boolean =>
  author !== undefined && author !== null && 'from' in author && author.from === 'tab';

/**
 * Whether an entry is announced to subscribers of the log: only requests for data are. Requests
 * that clients send because of a notification, to list again and to read the log, are not
 * announced: clients would notify each other endlessly.
 */
function isAnnounced({ method, uri, name }: ActivityEntry): boolean {
  return DATA_METHODS.includes(method) && uri !== ACTIVITY_URI && name !== 'read_resource';
}

/**
 * A page of the list. A position is the number of a resource, so that a removed resource does not shift the
 * others.
 */
function pageOf(provided: ProvidedView, after: string | undefined, limit: number) {
  const position = after === undefined ? -1 : Number(after);
  if (!Number.isSafeInteger(position)) throw new BadPositionError();
  const numbered = [...provided.numbered, ...OWN_NUMBERED];
  const rest = numbered.filter(([number]) => number > position);
  const page = rest.slice(0, limit);
  const resources = page.map(([, resource]) => resource);
  const last = page.at(-1);
  return rest.length <= limit || !last ? { resources } : { resources, next: String(last[0]) };
}

function json(uri: string, value: unknown): ResourceContents[] {
  return [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(value, null, 2) }];
}
