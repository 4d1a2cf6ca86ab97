import { callSafely, type RequestId } from '@inpage-mcp/transport';
import type { ConnectionAccess } from '../features/access.js';
import type { Resources } from '../features/resources.js';
import { ChangeNotifier } from '../subscriptions/change-notifications.js';
import type { ChangedBy, ListName, Subscriptions } from '../subscriptions/subscriptions.js';
import { META, NOTIFICATIONS, type Era } from '../wire/keys.js';
import type { Meta, Params, ServerCapabilities } from '../wire/types.js';

/** The parts of a connection that its announcer uses. */
export interface AnnouncerParts {
  readonly subscriptions: Subscriptions;
  readonly access: ConnectionAccess<never>;
  readonly resources: Resources<never> | undefined;
  /** The era; `undefined` before the first request, when nothing is announced. */
  era(): Era | undefined;
  capabilities(): ServerCapabilities;
  notify(method: string, params?: Params): void;
}

const CHANGED: { readonly [list in ListName]: string } = {
  tools: NOTIFICATIONS.toolsChanged,
  prompts: NOTIFICATIONS.promptsChanged,
  resources: NOTIFICATIONS.resourcesChanged,
};

/** Notifies one connection of changes, as its era requires: in the modern era, on each stream. */
export class Announcer {
  readonly #parts: AnnouncerParts;
  readonly #notifier: ChangeNotifier;
  readonly #stop: (() => void) | undefined;

  constructor(parts: AnnouncerParts) {
    this.#parts = parts;
    const sink = {
      resourceUpdated: (uri: string, by?: ChangedBy) => this.#notifyUpdated(uri, by?.meta),
      resourceListChanged: () => this.listChanged('resources'),
    };
    this.#notifier = new ChangeNotifier(sink, parts.subscriptions);
    const { subscribe, listChanged } = parts.capabilities().resources ?? {};
    if (!subscribe && !listChanged) return;
    this.#stop = parts.resources?.listen?.((changes, by) => this.#notifier.push(changes, by));
  }

  /** Notifies the client that a list has changed, if it was offered that list. */
  listChanged(list: ListName): void {
    const { capabilities, subscriptions } = this.#parts;
    if (!capabilities()[list]?.listChanged) return;
    this.#notify(CHANGED[list], {}, () => subscriptions.streamsOf(list));
  }

  /** Stops listening, and drops pending notifications. */
  close(): void {
    this.#notifier.close();
    callSafely(() => this.#stop?.());
  }

  #notifyUpdated(uri: string, meta: Meta | undefined): void {
    const { access, subscriptions } = this.#parts;
    // The access is checked again here, because the permission may have ended since the client subscribed.
    if (access.permitsUri?.(uri) === false) return;
    const streams = (): RequestId[] => subscriptions.streamsOfUri(uri);
    this.#notify(NOTIFICATIONS.resourceUpdated, { uri }, streams, meta);
  }

  #notify(method: string, params: Params, streams: () => readonly RequestId[], meta?: Meta): void {
    const { era, notify } = this.#parts;
    if (era() === 'legacy') notify(method, params);
    else if (era() === 'modern') {
      for (const id of streams())
        notify(method, { ...params, _meta: { ...meta, [META.subscriptionId]: id } });
    }
  }
}
