import type { ActivityEntry, Head, PageEnd, WorkerReport } from './control-plane.js';
import type { InpageServer } from '../serving/inpage-server.js';
import { MAX_ACTIVITY } from '../activity/activity-log.js';
import { FairBuffer } from '../activity/fair-buffer.js';

/** The time for which activity is collected before it is reported, in milliseconds. */
const ACTIVITY_INTERVAL_MS = 100;

/** The minimum time between two reports of the head, in milliseconds. */
const HEAD_INTERVAL_MS = 100;

/** The reports of a worker to its page. */
export interface Reports {
  /** Starts or stops the reports of requests. */
  watchActivity(isWatched: boolean): void;
}

/** Buffers reports until a page can receive them. */
export class ReportBuffer {
  #buffered: WorkerReport[] = [];
  #report: ((one: WorkerReport) => void) | undefined;

  /** Reports now, or as soon as {@link deliverTo} is called. */
  report(one: WorkerReport): void {
    if (this.#report) this.#report(one);
    else this.#buffered.push(one);
  }

  /** Delivers the buffered reports and all later ones to this function. */
  deliverTo(report: (one: WorkerReport) => void): void {
    this.#report = report;
    for (const one of this.#buffered.splice(0)) report(one);
  }
}

/** Reports closed connections, unhandled rejections, activity and the head to the page. */
export function reportTo(page: PageEnd, server: InpageServer, buffer: ReportBuffer): Reports {
  const report = (one: WorkerReport): void => {
    // A page that is gone, closed or frozen receives nothing, so this is not awaited.
    new Promise((resolve) => resolve(page.report(one))).catch(() => undefined);
  };
  server.listenToClose((connection) => report({ type: 'connection-closed', connection }));
  // Exceptions reach the page as `error` events of its Worker; rejections do not.
  addEventListener('unhandledrejection', ({ reason }) =>
    report({ type: 'error', message: reason instanceof Error ? reason.message : String(reason) }),
  );
  buffer.deliverTo(report);
  reportHead(server, (head, isOpened) => report({ type: 'head', head, isOpened }));
  return { watchActivity: watchActivity(server, report) };
}

/** Reports the first head immediately, and later ones once per interval. */
function reportHead(
  { store }: InpageServer,
  report: (head: Head, isOpened: boolean) => void,
): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let latest: Head | undefined;
  const flush = (): void => {
    timer = undefined;
    if (!latest) return;
    report(latest, false);
    latest = undefined;
    timer = setTimeout(flush, HEAD_INTERVAL_MS);
  };
  const onHead = (head: Head, isOpened: boolean): void => {
    if (isOpened) return report(head, true);
    latest = head;
    if (timer === undefined) flush();
  };
  if (store.changes.head) onHead(store.changes.head, true);
  store.changes.listenToHead(onHead);
}

/** Reports entries in batches, so that a busy client causes only a few messages to the page. */
function watchActivity(
  server: InpageServer,
  report: (one: WorkerReport) => void,
): (isWatched: boolean) => void {
  const batch = new FairBuffer<ActivityEntry>(MAX_ACTIVITY);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stop: (() => void) | undefined;
  const flush = (): void => {
    timer = undefined;
    const entries = batch.all;
    batch.clear();
    report({ type: 'activity', entries });
  };
  return (isWatched) => {
    if (isWatched === (stop !== undefined)) return;
    stop?.();
    clearTimeout(timer);
    timer = undefined;
    batch.clear();
    stop = undefined;
    if (!isWatched) return;
    stop = server.activity.listen((entry, holder) => {
      batch.add(entry, holder);
      timer ??= setTimeout(flush, ACTIVITY_INTERVAL_MS);
    });
  };
}
