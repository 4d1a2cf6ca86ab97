import type { StoreView } from '@inpage-mcp/store';
import type { Resource, ResourceTemplate } from '@inpage-mcp/protocol';
import type { Activity, ActivityEntry } from '../activity/activity-log.js';
import type { ProvidedView } from './provided-resources.js';
import type { ProviderHost } from './provider-host.js';
import {
  BadPositionError,
  type ResourceContents,
  type ResourceProvider,
} from './resource-provider.js';
import { storageReport } from './storage-report.js';

/** How much is stored, and how much there may be. */
const STORAGE_URI = 'inpage:///storage';
/** What connections have asked for. */
const ACTIVITY_URI = 'inpage:///activity';

const JSON_TYPE = 'application/json';
const NO_TEMPLATES: readonly ResourceTemplate[] = [];

const TOUCHING: readonly string[] = ['resources/read', 'tools/call', 'prompts/get'];

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

/** They come last, however much is provided. */
const OWN_NUMBERED = OWN_RESOURCES.map(
  (resource, index) => [Number.MAX_SAFE_INTEGER - OWN_RESOURCES.length + index, resource] as const,
);

/**
 * What is known only while the page is open: what the page itself provides (`runtime.provide`),
 * `inpage:///storage` and `inpage:///activity`.
 */
export function runtimeResources(): (host: ProviderHost) => ResourceProvider {
  return ({ store, activity, provided }) => {
    provided.serve();
    return runtimeProvider(store, activity, provided);
  };
}

function runtimeProvider(
  store: StoreView,
  activity: Activity,
  provided: ProvidedView,
): ResourceProvider {
  return {
    name: 'runtime',
    templates: NO_TEMPLATES,
    list: async ({ after, limit }) => pageOf(provided, after, limit),
    async read(uri, call) {
      if (uri === STORAGE_URI) return json(uri, await storageReport(store));
      if (uri === ACTIVITY_URI) return json(uri, { entries: activity.entries });
      return await provided.read(uri, call);
    },
    listen(listener) {
      const stops = [
        provided.listen((change) => listener([change])),
        store.changes.listen((changes) => {
          const isCleared = changes.some(({ kind }) => kind === 'everything');
          // With everything the log may be gone, too.
          const uris = isCleared ? [STORAGE_URI, ACTIVITY_URI] : [STORAGE_URI];
          listener(uris.map((uri) => ({ uri, listChanged: false })));
        }),
        activity.listen((entry) => {
          if (isNews(entry)) listener([{ uri: ACTIVITY_URI, listChanged: false }]);
        }),
      ];
      return () => stops.forEach((stop) => stop());
    },
  };
}

/**
 * What is announced of the log: that data was touched. What clients do because of a notification,
 * to list again and to read the log, is logged and not announced: they would wake one another for
 * ever.
 */
function isNews({ method, uri, name }: ActivityEntry): boolean {
  return TOUCHING.includes(method) && uri !== ACTIVITY_URI && name !== 'read_resource';
}

/** Positions count what was provided so far, so that one that is gone meanwhile moves nothing. */
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
