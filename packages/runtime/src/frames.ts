import type { Access, LimitsOf } from '@inpage-mcp/server/control-plane';
import {
  acceptFrames,
  type AcceptFramesOptions,
  type FrameAcceptor,
  type FrameConnection,
} from '@inpage-mcp/transport/frames';
import { FrameAccess } from './access/frame-access.js';
import { isWorkerGone, RuntimeError } from './worker/runtime-error.js';
import type { WorkerSupervisor } from './supervision/worker-supervisor.js';

/** A frame's connection to the worker, for the page that serves it. */
export interface ServedFrame {
  /** The origin, as the browser reported it; `null` for a sandboxed frame. */
  readonly origin: string;
  /** The number of the connection in the activity log: `connection` of an `ActivityEntry`. */
  readonly connection: number;
  /** The window at the other end. */
  readonly source: Window;
  /** Resolves when either side has closed the connection. Never rejects. */
  readonly closed: Promise<void>;
  /**
   * Changes the access of this connection immediately; absent members stay unchanged. The change
   * ends with the connection: the frame may connect again, with the access of `serveFrames`.
   *
   * @throws {RuntimeError} `invalid-argument` if the access is invalid; or if the runtime has
   *   ended.
   */
  setAccess(access: Access): Promise<void>;
  /** Closes the connection. The frame may connect again. Further calls do nothing. */
  close(): void;
}

/** Options for serving frames: their origins, and their access. */
export interface ServeFramesOptions extends Omit<AcceptFramesOptions, 'onPort'> {
  /**
   * The access of a frame, or a function that returns it for an origin (`null` for a sandboxed
   * frame), not as a promise. If the function throws, or returns no plain object, the frame is
   * refused for good, and the error is reported. Absent members default to `read: 'all'`, `write:
   * 'deny'`, `tools: 'none'`.
   */
  access?: Access | ((origin: string) => Access) | undefined;
  /**
   * The name of the frames, for people: `inpage:///activity` shows it next to their changes. Default: the
   * origin.
   */
  name?: string | undefined;
  /** The limits that apply; frames stay guests in every other respect. Default: `guest`. */
  limits?: LimitsOf | undefined;
  /** Whether tool results link to the written resource. Default: true. */
  resourceLinks?: boolean | undefined;
  /** Called with each new connection of a frame. If it throws, the connection is closed. */
  onconnect?: ((frame: ServedFrame) => void) | undefined;
  /**
   * The acceptor by which frames request a port, such as one of `@inpage-mcp/transport`. Default:
   * `acceptFrames`.
   */
  accept?: ((options: AcceptFramesOptions) => FrameAcceptor) | undefined;
}

/** Connects frames that ask for a port directly to the worker. Loaded when the page serves frames. */
export class FrameServer {
  readonly #supervisor: WorkerSupervisor;
  readonly #register: (frame: ServedFrame) => void;
  /** The name of a frame stays the same for every document in it, also after a reload. */
  readonly #names = new WeakMap<Window, string>();
  #nameCount = 0;

  /** @param register Called with each connection, so that its access can be changed. */
  constructor(supervisor: WorkerSupervisor, register: (frame: ServedFrame) => void) {
    this.#supervisor = supervisor;
    this.#register = register;
  }

  /** @see Runtime.serveFrames */
  serve({ access = {}, accept = acceptFrames, ...options }: ServeFramesOptions): () => void {
    if (!('document' in globalThis))
      throw new RuntimeError('unavailable', 'Only a page has frames.');
    const { ended } = this.#supervisor;
    ended.throwIfAborted();
    // An invalid access throws immediately.
    const accepted = typeof access === 'function' ? undefined : new FrameAccess(access).accepted;
    const accessOf = typeof access === 'function' ? access : () => accepted!;
    const acceptor = accept({
      ...options,
      signal: options.signal ? AbortSignal.any([options.signal, ended]) : ended,
      onPort: (port, connection) => {
        let frameAccess: FrameAccess;
        try {
          frameAccess = new FrameAccess(accessOf(connection.origin));
        } catch (error) {
          // The connection is closed at once, which refuses the frame, because another request would fail in
          // the same way.
          connection.close();
          return reportError(error);
        }
        this.#connect(port, connection, frameAccess, options).catch((error: unknown) => {
          connection.close();
          if (!isWorkerGone(error)) reportError(error);
        });
      },
    });
    return () => acceptor.close();
  }

  async #connect(
    port: MessagePort,
    connection: FrameConnection,
    frameAccess: FrameAccess,
    { name, limits = 'guest', resourceLinks = true, onconnect }: ServeFramesOptions,
  ): Promise<void> {
    const { origin, source, frame: window, closed } = connection;
    const served = await this.#supervisor.run((server) =>
      server.servePort(port, {
        access: frameAccess.accepted,
        limits,
        heldBy: 'guest',
        holder: origin,
        name,
        frame: this.#nameOf(window),
        resourceLinks,
      }),
    );
    void served.ended.then(() => connection.close());
    void closed.then(() => served.close());
    const frame: ServedFrame = {
      origin,
      connection: served.number,
      source,
      closed,
      setAccess: (changed) => frameAccess.change(changed, served),
      close: () => connection.close(),
    };
    this.#register(frame);
    onconnect?.(frame);
  }

  #nameOf(frame: Window): string {
    let name = this.#names.get(frame);
    if (name === undefined) {
      this.#nameCount += 1;
      name = `${this.#nameCount}`;
      this.#names.set(frame, name);
    }
    return name;
  }
}
