import type { ProvidedDescription, ReadProvided } from '@inpage-mcp/server/control-plane';
import { isWorkerGone } from '../worker/runtime-error.js';
import type { ServerWorker } from '../worker/server-worker.js';
import type { WorkerSupervisor } from '../supervision/worker-supervisor.js';

/** A resource that the page itself provides. */
export interface ProvidedResource extends ProvidedDescription {
  /**
   * Reads the resource: called on the page for each read, with a timeout of 30 seconds. Its exceptions are
   * not sent to the client.
   */
  read: ReadProvided;
}

/** A provided resource, kept for the next worker. */
interface KeptResource {
  description: ProvidedDescription;
  read: ReadProvided;
}

/** A resource that the page currently provides. */
export interface Provided {
  /** Notifies the subscribers that the content has changed. Never rejects. */
  changed(): Promise<void>;
  /** Removes the resource. Further calls do nothing. Never rejects. */
  remove(): Promise<void>;
}

/** The resources of the page, kept for the next worker. Loaded when the page provides one. */
export class ProvidedByPage {
  readonly #supervisor: WorkerSupervisor;
  readonly #resources = new Map<string, KeptResource>();

  constructor(supervisor: WorkerSupervisor) {
    this.#supervisor = supervisor;
  }

  /**
   * Provides every resource again. Rejects only if the worker has ended.
   *
   * @param onerror Called for each resource that this worker rejects; the others are still provided.
   */
  async restore(server: ServerWorker, onerror: (message: string) => void): Promise<void> {
    const restored = [...this.#resources.values()].map(async ({ description, read }) => {
      try {
        await server.provide(description, read);
      } catch (error) {
        if (isWorkerGone(error)) throw error;
        onerror(`${description.uri} could not be provided again: ${String(error)}`);
      }
    });
    await Promise.all(restored);
  }

  /** @see Runtime.provide */
  async provide(resource: KeptResource): Promise<Provided> {
    const supervisor = this.#supervisor;
    const { description, read } = resource;
    const { uri } = description;
    await supervisor.runWithRetry((server) => server.provide(description, read));
    this.#resources.set(uri, resource);
    // After the removal, another resource may have the same uri.
    let isRemoved = false;
    return {
      changed: async () => {
        if (isRemoved) return;
        await supervisor
          .run((server) => server.call((control) => control.providedChanged(uri)))
          .catch(() => undefined);
      },
      remove: async () => {
        if (isRemoved) return;
        isRemoved = true;
        this.#resources.delete(uri);
        // If the worker dies now, the next one does not have the resource anyway.
        await supervisor
          .run((server) => server.call((control) => control.removeProvided(uri)))
          .catch(() => undefined);
      },
    };
  }
}
