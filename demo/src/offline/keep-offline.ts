import type { NoticeStack } from '../ui/notice-stack.js';
import { trustedUrl } from '../browser/trusted-urls.js';
import type { Message } from './names.js';

/** The service workers of the browser; absent where there are none, as over http or in a sandbox. */
export function serviceWorkers(): ServiceWorkerContainer | undefined {
  try {
    return navigator.serviceWorker;
  } catch {
    return undefined;
  }
}

/**
 * Keeps the page for use without a connection, and offers each new version. Not while developing: a
 * source that was edited has to show at once.
 */
export async function keepOffline(notices: NoticeStack): Promise<void> {
  const container = import.meta.env.PROD ? serviceWorkers() : undefined;
  if (!container) return;
  const wasServed = container.controller !== null;
  // Where the browser forbids it, as in some private windows, the page needs a connection.
  const registration = await register(container).catch(() => undefined);
  if (!registration) return;
  followUpdates(container, registration, wasServed, notices);
  const started: Message = { type: 'started', script: import.meta.url };
  (registration.active ?? registration.waiting)?.postMessage(started);
  await keepDocs(container);
}

/** The documentation is 200 files: they wait until the page has settled, in milliseconds. */
const SETTLED_MS = 10_000;

/** Keeps the documentation, too, before anybody has looked at it, once the page itself is kept. */
async function keepDocs(container: ServiceWorkerContainer): Promise<void> {
  await container.ready;
  await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (navigator.onLine && !connection?.saveData)
    await container.register(trustedUrl('./docs/offline.js')).catch(() => undefined);
}

async function register(container: ServiceWorkerContainer): Promise<ServiceWorkerRegistration> {
  const url = trustedUrl('./service-worker.js');
  return await container.register(url, { updateViaCache: 'none' });
}

function followUpdates(
  container: ServiceWorkerContainer,
  registration: ServiceWorkerRegistration,
  wasServed: boolean,
  notices: NoticeStack,
): void {
  let isOffered = false;
  const offer = (): void => {
    if (isOffered) return;
    isOffered = true;
    const actions = [{ words: 'Reload', run: () => change(container, registration) }];
    notices.stand('A new version is ready. What you have typed is kept.', { actions });
  };
  const follow = (worker: ServiceWorker | null): void =>
    worker?.addEventListener('statechange', () => {
      // The first one of all is no new version.
      if (worker.state === 'installed' && container.controller) offer();
    });
  if (registration.waiting && container.controller) offer();
  follow(registration.installing);
  registration.addEventListener('updatefound', () => follow(registration.installing));
  let isServed = wasServed;
  container.addEventListener('controllerchange', () => {
    // Another tab has changed to it: this page still is the old one.
    if (isServed) offer();
    isServed = true;
  });
  // By itself a browser looks some time after a page was opened. Without a connection there is nothing new.
  registration.update().catch(() => undefined);
}

/** Changes to the new version. Words that are not saved yet are kept for after the reload. */
function change(container: ServiceWorkerContainer, { waiting }: ServiceWorkerRegistration): void {
  if (!waiting) {
    location.reload();
    return;
  }
  let isReloading = false;
  const reload = (): void => {
    if (waiting.state !== 'activated' && container.controller !== waiting) return;
    if (!isReloading) location.reload();
    isReloading = true;
  };
  // Whichever of the two comes first, and last.
  container.addEventListener('controllerchange', reload);
  waiting.addEventListener('statechange', reload);
  const activate: Message = { type: 'activate' };
  waiting.postMessage(activate);
}
