import { nextTask } from '../fairness/next-task.js';
import type { ResourceChange, Subscriptions } from './subscriptions.js';

/** Sends the notifications of one connection. */
export interface NotificationSink {
  /** Sends `notifications/resources/updated`. */
  resourceUpdated(uri: string): void;
  /** Sends `notifications/resources/list_changed`. */
  resourceListChanged(): void;
}

/** The shortest time between two bursts of notifications to one connection. */
export const NOTIFICATION_INTERVAL_MS = 50;

/**
 * Turns committed changes into notifications. The first is sent in the next task, so that no write
 * waits for subscribers. Further changes within the interval are sent together at its end, each uri
 * at most once. So a single edit is seen without delay, a burst of a thousand writes costs a few
 * messages, and the last state is never missed.
 */
export class ChangeNotifier {
  readonly #sink: NotificationSink;
  readonly #subscribed: Subscriptions;
  readonly #updatedUris = new Set<string>();
  #listChanged = false;
  /** Whether a flush is scheduled. */
  #isDue = false;
  #isClosed = false;

  constructor(sink: NotificationSink, subscribed: Subscriptions) {
    this.#sink = sink;
    this.#subscribed = subscribed;
  }

  /** Adds committed changes. */
  push(changes: readonly ResourceChange[]): void {
    for (const change of changes) {
      for (const uri of this.#subscribed.affectedBy(change)) this.#updatedUris.add(uri);
      this.#listChanged ||= change.listChanged;
    }
    if (this.#isDue) return;
    this.#isDue = true;
    nextTask(() => this.#flush());
  }

  /** Drops pending notifications. */
  close(): void {
    this.#isClosed = true;
    this.#updatedUris.clear();
    this.#listChanged = false;
  }

  #flush(): void {
    this.#isDue = this.#updatedUris.size > 0 || this.#listChanged;
    if (!this.#isDue || this.#isClosed) return;
    const uris = [...this.#updatedUris];
    const listChanged = this.#listChanged;
    this.#updatedUris.clear();
    this.#listChanged = false;
    setTimeout(() => this.#flush(), NOTIFICATION_INTERVAL_MS);
    // Checked again here: the client may have unsubscribed since the change.
    for (const uri of uris) if (this.#subscribed.has(uri)) this.#sink.resourceUpdated(uri);
    if (listChanged) this.#sink.resourceListChanged();
  }
}
