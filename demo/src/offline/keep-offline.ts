import type { NoticeStack } from '../ui/notice-stack.js';
import { trustedUrl } from '../browser/trusted-urls.js';
import type { Message } from './names.js';

/** The service workers of the browser; absent if they are not available, as over http or in a sandbox. */
export function serviceWorkers(): ServiceWorkerContainer | undefined {
  try {
    return navigator.serviceWorker;
  } catch {
    return undefined;
  }
}

/**
 * Keeps the page for use without a connection, and offers each new version. Not during development, because
 * an edited source must show at once.
 */
export async function keepOffline(notices: NoticeStack): Promise<void> {
  const container = import.meta.env.PROD ? serviceWorkers() : undefined;
  if (!container) return;
  const wasServed = container.controller !== null;
  // If the browser forbids it, as in some private windows, the page needs a connection.
  const registration = await register(container).catch(() => undefined);
  if (!registration) return;
  followUpdates(container, registration, wasServed, notices);
  const started: Message = { type: 'started', script: import.meta.url };
  (registration.active ?? registration.waiting)?.postMessage(started);
  await keepDocs(container);
}

/**
 * The delay in milliseconds before the 200 files of the documentation are kept, so that the page can settle
 * first.
 */
const SETTLED_MS = 10_000;

/** Keeps the documentation, too, before the user has looked at it, once the page itself is kept. */
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
      // The very first worker is not a new version.
      if (worker.state === 'installed' && container.controller) offer();
    });
  if (registration.waiting && container.controller) offer();
  follow(registration.installing);
  registration.addEventListener('updatefound', () => follow(registration.installing));
  let isServed = wasServed;
  container.addEventListener('controllerchange', () => {
    // Another tab has changed to it, but this page still has the old one.
    if (isServed) offer();
    isServed = true;
  });
  // A browser itself checks some time after a page was opened. Without a connection it finds nothing new.
  registration.update().catch(() => undefined);
}

/** Changes to the new version. Unsaved changes are kept for the time after the reload. */
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
  // Either of the two may come first.
  container.addEventListener('controllerchange', reload);
  waiting.addEventListener('statechange', reload);
  const activate: Message = { type: 'activate' };
  waiting.postMessage(activate);
}
