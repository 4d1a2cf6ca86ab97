// Serves the demo without a connection, and receives shares of other apps. The documentation has a service
// worker of its own, so the files below docs/ do not belong to this one.
import { type BuiltFile, KeptFiles } from './kept-files.js';
import type { Message } from './names.js';
import { takeShare } from './take-share.js';

declare const self: ServiceWorkerGlobalScope & {
  /** The list of files, which the build inserts here. */
  __WB_MANIFEST: readonly BuiltFile[];
};

const { registration } = self;
const { scope } = registration;
const built = self.__WB_MANIFEST;
const files = new KeptFiles(scope, built);

self.addEventListener('install', (event) => event.waitUntil(files.keep()));

// The very first worker also serves the page that has installed it.
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('message', (event) => {
  const message = event.data as Message;
  if (message.type === 'activate') event.waitUntil(self.skipWaiting());
  if (message.type === 'started') event.waitUntil(tidyUp(message.script));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  const isNavigation = request.mode === 'navigate';
  if (request.method === 'POST' && isNavigation && url.href === `${scope}share`) {
    event.respondWith(takeShare(request, scope));
    return;
  }
  if (request.method !== 'GET' || !url.href.startsWith(scope)) return;
  // The query of a navigation is for the page.
  const address = isNavigation ? url.origin + url.pathname : url.href;
  const file = address === scope ? `${scope}index.html` : address;
  if (isKept(file)) event.respondWith(answer(request, file));
});

/** Whether it may be a file of any version; other requests are not handled. */
function isKept(file: string): boolean {
  const path = file.slice(scope.length);
  return path.startsWith('assets/') || built.some(({ url }) => url === path);
}

async function answer(request: Request, file: string): Promise<Response> {
  return (await files.find(file)) ?? (await fetch(request));
}

/** Deletes old files if only one page is open, because another page may be of an older version. */
async function tidyUp(script: string): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const ours = pages.filter(({ url }) => url.startsWith(scope) && !url.startsWith(`${scope}docs/`));
  if (ours.length > 1 || !(await files.has(script))) return;
  // The files of a version that waits for its turn are not old.
  await files.forgetOtherVersions(() => !registration.installing && !registration.waiting);
}
