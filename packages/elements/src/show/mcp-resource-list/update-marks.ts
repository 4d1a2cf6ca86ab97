import type { McpClient, Resource } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import type { ReactiveControllerHost } from 'lit';
import { authorIn } from '../../reading/change-author.js';
import { isOnDisk } from '../../reading/disk.js';
import { truncateText } from '../../base/text/truncate-text.js';

/** The time for which a row counts as just updated, in milliseconds. */
const RECENT_MS = 4_000;

interface Mark {
  /** The client of the resource. */
  client: McpClient | undefined;
  words: string;
  timer: ReturnType<typeof setTimeout>;
}

/** The marks of rows that another client has just updated. */
export class UpdateMarks {
  readonly #host: ReactiveControllerHost & EventTarget;
  readonly #connection: { readonly client: McpClient | undefined };
  readonly #announce: (text: string) => void;
  readonly #marks = new Map<string, Mark>();

  /** @param announce Announces a text to users of screen readers. */
  constructor(
    host: ReactiveControllerHost & EventTarget,
    connection: { readonly client: McpClient | undefined },
    announce: (text: string) => void,
  ) {
    this.#host = host;
    this.#connection = connection;
    this.#announce = announce;
  }

  /** The text in a row that was updated in the last seconds. */
  of(uri: string): string | undefined {
    const { client, words } = this.#marks.get(uri) ?? {};
    return client === this.#connection.client ? words : undefined;
  }

  /**
   * Reports an update to the page, and marks and announces it. It is not marked if the change is the user's
   * own, or the page cancels the event.
   *
   * @param meta The `_meta` of the notification.
   */
  report(resource: Resource, meta: unknown): void {
    const { isOwn, name, connection } = authorIn(meta);
    const event = new McpResourceUpdateEvent(resource, isOwn, name, connection);
    if (!this.#host.dispatchEvent(event) || isOwn) return;
    // For a folder of the disk, the update only means that any file in it may have changed, and its age shows
    // more. The server's own resources change with each request of the user.
    if (isOnDisk(resource.uri) || resource.uri.startsWith('inpage:')) return;
    const by = event.by && truncateText(event.by, 80);
    const title = truncateText(resource.title || resource.name || resource.uri);
    this.#announce(
      by
        ? msg(str`${title} was updated by ${by}`, { id: 'mcp.resource-list.updated-by' })
        : msg(str`${title} was updated`, { id: 'mcp.resource-list.updated' }),
    );
    this.#mark(
      resource.uri,
      by
        ? msg(str`updated just now by ${by}`, { id: 'mcp.resource-list.just-now-by' })
        : msg('updated just now', { id: 'mcp.resource-list.just-now' }),
    );
  }

  #mark(uri: string, words: string): void {
    clearTimeout(this.#marks.get(uri)?.timer);
    const forget = (): void => {
      this.#marks.delete(uri);
      this.#host.requestUpdate();
    };
    const { client } = this.#connection;
    this.#marks.set(uri, { client, words, timer: setTimeout(forget, RECENT_MS) });
    this.#host.requestUpdate();
  }
}

/**
 * Fired when a visible resource was updated. The list then marks its row and announces it, unless a listener
 * cancels the event, or the change is the user's own.
 */
export class McpResourceUpdateEvent extends Event {
  static readonly eventName = 'mcp-resource-update';
  /** The resource in the state in which it was listed before the update. */
  readonly resource: Resource;
  /** Whether the client or its page has made the change, as far as the server reports it. */
  readonly isOwn: boolean;
  /**
   * The author of the change, for the user. A listener may set it. Default: the author that the server names.
   */
  by: string | undefined;
  /** The number of the author's connection in the activity log, to name it in `by`; absent if it is not known. */
  readonly connection: number | undefined;

  constructor(resource: Resource, isOwn = false, by?: string, connection?: number) {
    super(McpResourceUpdateEvent.eventName, { bubbles: true, composed: true, cancelable: true });
    this.resource = resource;
    this.isOwn = isOwn;
    this.by = by;
    this.connection = connection;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'mcp-resource-update': McpResourceUpdateEvent;
  }
}
