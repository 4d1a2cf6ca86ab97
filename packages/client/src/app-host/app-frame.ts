import type { ClientTransport } from '../connection/rpc-connection.js';

/** A message, as a transport takes it. */
type Message = Parameters<ClientTransport['send']>[0];

/** Names of the messages between the page and the frame's own document; an app never gets them. */
const SANDBOX = 'ui/notifications/sandbox-';

/** The time that the frame's document has to report that it is ready, after its load, in milliseconds. */
const READY_MS = 3_000;

/** The parts of the frame of an app. */
export interface AppFrameOptions {
  /** The address of `mcp-app-frame.htm`. Default: the file next to this module, which most bundlers find. */
  url?: string | URL | undefined;
  /**
   * Whether the app keeps the origin of the file, for an app that needs storage or requests with an origin.
   * The file must then be on another origin than the page, and have `data-own-origin` at its root element.
   * Default: false, the app has an opaque origin.
   */
  hasOwnOrigin?: boolean | undefined;
  /** The document of the app. */
  html: string;
  /** The Content Security Policy of the app: see `framePolicy`. */
  policy: string;
  /** The features of the device that the app may use: see `framePermissions`. Default: no features. */
  permissions?: string | undefined;
  /** The accessible name of the frame. */
  title: string;
  /**
   * Called when the app has left its document, or has tried to: the content of the frame is no longer the
   * app.
   */
  onnavigate(): void;
}

/** The frame of an app could not be shown; the message says why. */
export class AppFrameError extends Error {
  override readonly name = 'AppFrameError';
}

/**
 * The sandboxed frame of an app, and the transport to it: a file of the page with an opaque origin, which takes the app's policy and
 * holds the app in a frame inside it. So the policy also governs where the app may navigate to, and the app
 * reaches neither the page nor the file.
 */
export class AppFrame implements ClientTransport {
  /** The frame itself, which loads once the page has inserted it into the document. */
  readonly element = document.createElement('iframe');
  /** Called with each message of the app, which may have any content. */
  onmessage?: ((message: Message) => void) | undefined;
  /** Called when the frame was removed. */
  onclose?: (() => void) | undefined;
  readonly #ready: Promise<void>;
  readonly #options: AppFrameOptions;
  #resolveReady!: () => void;
  #rejectReady!: (error: AppFrameError) => void;
  #state: 'loading' | 'shown' | 'removed' = 'loading';
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The port to the frame's document. */
  #port: MessagePort | undefined;

  /** @throws {AppFrameError} if the app were to have the page's own origin. */
  constructor(options: AppFrameOptions) {
    this.#options = options;
    this.#ready = new Promise((resolve, reject) => {
      this.#resolveReady = resolve;
      this.#rejectReady = reject;
    });
    this.#ready.catch(() => undefined);
    const { hasOwnOrigin, title, permissions = '' } = options;
    const url = new URL(options.url ?? frameFile(), document.baseURI);
    if (hasOwnOrigin && url.origin === location.origin)
      throw new AppFrameError('An app may keep an origin only if it is not that of the page.');
    const { element } = this;
    element.sandbox.value = `allow-scripts allow-forms${hasOwnOrigin ? ' allow-same-origin' : ''}`;
    element.allow = permissions;
    element.title = title;
    element.referrerPolicy = 'no-referrer';
    element.src = url.href;
    element.addEventListener('load', this.#loaded);
    // The listener is added before the frame is in the document, because its first message may come before
    // its `load` event.
    addEventListener('message', this.#receive);
  }

  /**
   * Resolves when the document of the app was sent to the frame.
   *
   * @throws {AppFrameError} if the file is missing, if a policy that it was served with forbids its script,
   *   or if the frame was removed.
   */
  start(): Promise<void> {
    return this.#ready;
  }

  /** Sends a message to the app. Does nothing before the frame is shown, and after it was removed. */
  async send(message: Message): Promise<void> {
    if (this.#state === 'shown') this.#port?.postMessage(message);
  }

  /** Removes the frame. */
  async close(): Promise<void> {
    if (this.#state === 'removed') return;
    this.#state = 'removed';
    clearTimeout(this.#timer);
    removeEventListener('message', this.#receive);
    this.#port?.close();
    this.element.remove();
    this.#rejectReady(new AppFrameError('The frame was removed.'));
    this.onclose?.();
  }

  /** Shows the app when the frame's document is ready. Another document in its place gets no port. */
  readonly #receive = ({ source, data }: MessageEvent): void => {
    // Any window may send messages to the page, but only this one belongs to the frame.
    if (source === null || source !== this.element.contentWindow) return;
    const { method } = Object(data) as { method?: unknown };
    if (method === `${SANDBOX}proxy-ready` && this.#state === 'loading') this.#show();
  };

  #show(): void {
    this.#state = 'shown';
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.onmessage = ({ data }: MessageEvent): void => {
      const { method } = Object(data) as { method?: unknown };
      if (method === `${SANDBOX}navigated`) this.#options.onnavigate();
      else if (this.#state === 'shown') this.onmessage?.(data as Message);
    };
    // This message has no content, because it could reach another document: an opaque origin cannot be named.
    const ready = { jsonrpc: '2.0', method: `${SANDBOX}resource-ready`, params: {} };
    this.element.contentWindow!.postMessage(ready, '*', [port2]);
    const { html, policy, permissions = '', title } = this.#options;
    port1.postMessage({ html, policy, allow: permissions, title });
    this.#resolveReady();
  }

  readonly #loaded = (): void => {
    // The frame's own document was replaced.
    if (this.#state === 'shown' && this.#timer !== undefined) return this.#options.onnavigate();
    // The script of the file has run before `load`, but its message may arrive a little later.
    this.#timer = setTimeout(() => {
      if (this.#state !== 'loading') return;
      this.#rejectReady(
        new AppFrameError(
          'The frame for apps did not start: mcp-app-frame.htm is missing at ' +
            `${this.element.src}, or its server sends it with a policy that forbids inline scripts.`,
        ),
      );
    }, READY_MS);
  };
}

/**
 * The address of the file. Bundlers find and emit it because it is in one literal expression. The name of the
 * package is for Vite's development server, which treats each `.html` as a page of the app, and adds scripts
 * to it.
 */
function frameFile(): URL {
  const url = new URL('@inpage-mcp/client/mcp-app-frame.htm', import.meta.url);
  const isResolved = !url.pathname.endsWith('/@inpage-mcp/client/mcp-app-frame.htm');
  // If no bundler has resolved the name of the package, the file is next to this module.
  return isResolved ? url : new URL('../../mcp-app-frame.htm', url);
}
