import type { ProvidedDescription, ReadProvided } from '@inpage-mcp/server/control-plane';
import type { proxy } from 'comlink';
import type { isWorkerGone } from '../worker/runtime-error.js';
import type { ServerWorker } from '../worker/server-worker.js';
import type { WorkerSupervisor } from '../supervision/worker-supervisor.js';

/** A resource of the page's own: what it is, and how to read it. */
export interface ProvidedResource extends ProvidedDescription {
  /** Called for each read, on the page; it has 30 seconds. What it throws is not passed on. */
  read: ReadProvided;
}

/** A resource as it was provided. */
export interface KeptResource {
  description: ProvidedDescription;
  read: ReadProvided;
}

/** A resource that the page provides at the moment. */
export interface Provided {
  /** Tells the subscribers that the content is another now. Never rejects. */
  changed(): Promise<void>;
  /** Takes the resource off the list. Further calls do nothing. Never rejects. */
  remove(): Promise<void>;
}

/** What the page has loaded before: see `ServingParts`. */
export interface ProvidingParts {
  supervisor: WorkerSupervisor;
  isWorkerGone: typeof isWorkerGone;
  proxy: typeof proxy;
}

/** What the page provides, kept for the next worker. Loaded when it provides something. */
export class ProvidedByPage {
  readonly #parts: ProvidingParts;
  readonly #resources = new Map<string, KeptResource>();

  constructor(parts: ProvidingParts) {
    this.#parts = parts;
  }

  /**
   * Provides everything again. Rejects only when the worker is gone.
   *
   * @param onerror Told of each resource that this worker does not take; the others are there.
   */
  async restore(server: ServerWorker, onerror: (message: string) => void): Promise<void> {
    const restored = [...this.#resources.values()].map(async (resource) => {
      try {
        await this.#tell(server, resource);
      } catch (error) {
        if (this.#parts.isWorkerGone(error)) throw error;
        onerror(`${resource.description.uri} could not be provided again: ${String(error)}`);
      }
    });
    await Promise.all(restored);
  }

  /** @see Runtime.provide */
  async provide(resource: KeptResource): Promise<Provided> {
    const { supervisor } = this.#parts;
    const { uri } = resource.description;
    await supervisor.twice((server) => this.#tell(server, resource));
    this.#resources.set(uri, resource);
    // Another may have the uri after this one was removed.
    let isRemoved = false;
    return {
      changed: async () => {
        if (isRemoved) return;
        await supervisor
          .once((server) => server.call((control) => control.providedChanged(uri)))
          .catch(() => undefined);
      },
      remove: async () => {
        if (isRemoved) return;
        isRemoved = true;
        this.#resources.delete(uri);
        // A worker that dies now leaves one behind that does not know it.
        await supervisor
          .once((server) => server.call((control) => control.removeProvided(uri)))
          .catch(() => undefined);
      },
    };
  }

  async #tell(server: ServerWorker, { read, description }: KeptResource): Promise<void> {
    await server.call((control) => control.provide(description, this.#parts.proxy(read)));
  }
}
