import type { ActivityEntry, Head, PageEnd, WorkerReport } from './control-plane.js';
import type { InpageServer } from '../serving/inpage-server.js';
import { MAX_ACTIVITY } from '../activity/activity-log.js';
import { SharedEntries } from '../activity/shared-entries.js';

/** How long activity is gathered before it is told, in milliseconds. */
const ACTIVITY_INTERVAL_MS = 100;

/** How long it may take until the page knows where the database stands, in milliseconds. */
const HEAD_INTERVAL_MS = 100;

/** What a worker tells its page of its own accord. */
export interface Reports {
  /** Starts or stops to tell of requests. */
  watchActivity(isWatched: boolean): void;
}

/** What there is to tell before anybody listens. */
export class EarlyReports {
  #early: WorkerReport[] = [];
  #report: ((one: WorkerReport) => void) | undefined;

  /** Tells it now, or as soon as it can be. */
  report(one: WorkerReport): void {
    if (this.#report) this.#report(one);
    else this.#early.push(one);
  }

  /** From now on it is told in this way, and what there was before, too. */
  deliverTo(report: (one: WorkerReport) => void): void {
    this.#report = report;
    for (const one of this.#early.splice(0)) report(one);
  }
}

/**
 * Tells the page of connections that end, of rejections that nobody handles, of activity, and where
 * the database stands.
 */
export function reportTo(page: PageEnd, server: InpageServer, early: EarlyReports): Reports {
  const report = (one: WorkerReport): void => {
    // A page that is gone or frozen hears nothing, and nothing waits for it.
    void Promise.resolve(page.report(one)).catch(() => undefined);
  };
  server.listenToClose((connection) => report({ type: 'connection-closed', connection }));
  // Exceptions reach the page by the `error` event of its Worker; of rejections it sees nothing.
  addEventListener('unhandledrejection', ({ reason }) =>
    report({ type: 'error', message: reason instanceof Error ? reason.message : String(reason) }),
  );
  early.deliverTo(report);
  reportHead(server, (head, isOpened) => report({ type: 'head', head, isOpened }));
  return { watchActivity: watchActivity(server, report) };
}

/** The first at once, what follows shortly after only now and then. */
function reportHead(
  { store }: InpageServer,
  report: (head: Head, isOpened: boolean) => void,
): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let latest: Head | undefined;
  const tell = (): void => {
    timer = undefined;
    if (!latest) return;
    report(latest, false);
    latest = undefined;
    timer = setTimeout(tell, HEAD_INTERVAL_MS);
  };
  const hear = (head: Head, isOpened: boolean): void => {
    if (isOpened) return report(head, true);
    latest = head;
    if (timer === undefined) tell();
  };
  if (store.changes.head) hear(store.changes.head, true);
  store.changes.listenToHead(hear);
}

/** Entries are gathered, so that a busy client costs the page a message now and then. */
function watchActivity(
  server: InpageServer,
  report: (one: WorkerReport) => void,
): (isWatched: boolean) => void {
  const gathered = new SharedEntries<ActivityEntry>(MAX_ACTIVITY);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stop: (() => void) | undefined;
  const flush = (): void => {
    timer = undefined;
    const entries = gathered.all;
    gathered.clear();
    report({ type: 'activity', entries });
  };
  return (isWatched) => {
    if (isWatched === (stop !== undefined)) return;
    stop?.();
    clearTimeout(timer);
    timer = undefined;
    gathered.clear();
    stop = undefined;
    if (!isWatched) return;
    stop = server.activity.listen((entry, holder) => {
      // As in the log itself.
      gathered.add(entry, holder);
      timer ??= setTimeout(flush, ACTIVITY_INTERVAL_MS);
    });
  };
}
