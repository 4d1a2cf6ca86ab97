import type { ActivityEntry, PageEnd, WorkerReport } from './control-plane.js';
import type { InpageServer } from './inpage-server.js';
import { MAX_ACTIVITY } from './activity-log.js';

/** How long activity is gathered before it is told, in milliseconds. */
const ACTIVITY_INTERVAL_MS = 100;

/** What a worker tells its page of its own accord. */
export interface Reports {
  /** Starts or stops to tell of requests. */
  watchActivity(isWatched: boolean): void;
}

/** Tells the page of connections that end, of rejections that nobody handles, and of activity. */
export function reportTo(page: PageEnd, server: InpageServer): Reports {
  const report = (one: WorkerReport): void => {
    // A page that is gone or frozen hears nothing, and nothing waits for it.
    void Promise.resolve(page.report(one)).catch(() => undefined);
  };
  server.listenToClose((connection) => report({ type: 'connection-closed', connection }));
  // Exceptions reach the page by the `error` event of its Worker; of rejections it sees nothing.
  addEventListener('unhandledrejection', ({ reason }) =>
    report({ type: 'error', message: reason instanceof Error ? reason.message : String(reason) }),
  );
  return { watchActivity: watchActivity(server, report) };
}

/** Entries are gathered, so that a busy client costs the page a message now and then. */
function watchActivity(
  server: InpageServer,
  report: (one: WorkerReport) => void,
): (isWatched: boolean) => void {
  let gathered: ActivityEntry[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stop: (() => void) | undefined;
  const flush = (): void => {
    timer = undefined;
    const entries = gathered;
    gathered = [];
    report({ type: 'activity', entries });
  };
  return (isWatched) => {
    if (isWatched === (stop !== undefined)) return;
    stop?.();
    clearTimeout(timer);
    timer = undefined;
    gathered = [];
    stop = undefined;
    if (!isWatched) return;
    stop = server.activity.listen((entry) => {
      gathered.push(entry);
      // Like the log itself: the oldest go first.
      if (gathered.length > MAX_ACTIVITY) gathered.shift();
      timer ??= setTimeout(flush, ACTIVITY_INTERVAL_MS);
    });
  };
}
