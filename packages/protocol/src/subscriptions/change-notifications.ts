import { nextTask } from '../fairness/next-task.js';
import type { ChangedBy, ResourceChange, Subscriptions } from './subscriptions.js';

/** Sends the notifications of one connection. */
export interface NotificationSink {
  /** Sends `notifications/resources/updated`. */
  resourceUpdated(uri: string, changedBy: ChangedBy | undefined): void;
  /** Sends `notifications/resources/list_changed`. */
  resourceListChanged(): void;
}

/** The minimum interval between two bursts of notifications to one connection, in milliseconds. */
export const NOTIFICATION_INTERVAL_MS = 50;

/**
 * Turns committed changes into notifications. The first is sent in the next task, so that no write waits for
 * subscribers. Further changes within the interval are sent together at its end, each uri at most once. A
 * single edit is therefore seen without delay, a burst of a thousand writes costs only a few messages, and
 * the last state is never missed.
 */
export class ChangeNotifier {
  readonly #sink: NotificationSink;
  readonly #subscribed: Subscriptions;
  #updatedUris = new Map<string, ChangedBy | undefined>();
  #listChanged = false;
  /** Whether a flush is scheduled. */
  #isDue = false;
  #isClosed = false;

  constructor(sink: NotificationSink, subscribed: Subscriptions) {
    this.#sink = sink;
    this.#subscribed = subscribed;
  }

  /**
   * Adds committed changes. If a resource has several changes, the last one by another client determines the
   * author that the notification names.
   */
  push(changes: readonly ResourceChange[], changedBy?: ChangedBy): void {
    const uris = this.#updatedUris;
    for (const change of changes) {
      for (const uri of this.#subscribed.affectedBy(change))
        if (!changedBy?.own || !uris.has(uri)) uris.set(uri, changedBy);
      this.#listChanged ||= change.listChanged;
    }
    if (this.#isDue) return;
    // With many connections, a task for each of them would cost more than the request itself.
    this.#isDue = uris.size > 0 || this.#listChanged;
    if (this.#isDue) nextTask(() => this.#flush());
  }

  /** Drops pending notifications. */
  close(): void {
    this.#isClosed = true;
  }

  #flush(): void {
    this.#isDue = this.#updatedUris.size > 0 || this.#listChanged;
    if (!this.#isDue || this.#isClosed) return;
    const uris = this.#updatedUris;
    const listChanged = this.#listChanged;
    this.#updatedUris = new Map();
    this.#listChanged = false;
    setTimeout(() => this.#flush(), NOTIFICATION_INTERVAL_MS);
    // The subscription is checked again here, because the client may have unsubscribed since the change.
    for (const [uri, changedBy] of uris)
      if (this.#subscribed.has(uri)) this.#sink.resourceUpdated(uri, changedBy);
    if (listChanged) this.#sink.resourceListChanged();
  }
}
