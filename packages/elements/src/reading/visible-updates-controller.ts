import type { McpClient, Watch } from '@inpage-mcp/client';
import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** The time without scrolling after which other rows are subscribed to, in milliseconds. */
const SETTLE_MS = 120;

/**
 * Subscribes only to the visible resources, so that a list of 10,000 rows costs the server only a few dozen
 * subscriptions.
 */
export class VisibleUpdatesController implements ReactiveController {
  readonly #host: ReactiveControllerHost & Element;
  readonly #onUpdate: (uri: string, meta: unknown) => void;
  readonly #watches = new Map<string, Watch>();
  #client: McpClient | undefined;
  #wanted: readonly string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param onUpdate Called when a visible resource was updated, with the `_meta` of the server. */
  constructor(
    host: ReactiveControllerHost & Element,
    onUpdate: (uri: string, meta: unknown) => void,
  ) {
    this.#host = host;
    this.#onUpdate = onUpdate;
    host.addController(this);
  }

  /** Sets the resources that are visible now. Fast enough to be called with every render. */
  show(client: McpClient | undefined, uris: readonly string[]): void {
    // A removed list may be rendered, too. Without this check, its client would keep it forever.
    if (!this.#host.isConnected) return;
    if (client !== this.#client) this.#stopAll();
    this.#client = client;
    if (this.#timer === undefined && sameUris(uris, this.#wanted)) return;
    this.#wanted = uris;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#subscribe(), SETTLE_MS);
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#wanted = [];
    this.#client = undefined;
    this.#stopAll();
  }

  #subscribe(): void {
    this.#timer = undefined;
    const wanted = new Set(this.#wanted);
    for (const [uri, watch] of this.#watches) {
      if (wanted.has(uri)) continue;
      watch.stop();
      this.#watches.delete(uri);
    }
    for (const uri of wanted) {
      if (this.#watches.has(uri) || !this.#client) continue;
      this.#watches.set(
        uri,
        this.#client.watch(uri, (_, meta) => {
          // Without `_meta`, the resource may not have changed; the list is read again anyway.
          if (meta) this.#onUpdate(uri, meta);
        }),
      );
    }
  }

  #stopAll(): void {
    for (const watch of this.#watches.values()) watch.stop();
    this.#watches.clear();
  }
}

function sameUris(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((uri, index) => uri === b[index]);
}
