import type { ProvidedDescription, ReadProvided } from '@inpage-mcp/server/control-plane';
import { proxy } from 'comlink';
import type { ServerWorker } from './server-worker.js';
import type { WorkerSupervisor } from './worker-supervisor.js';

/** A resource of the page's own: what it is, and how to read it. */
export interface ProvidedResource extends ProvidedDescription {
  /** Called for each read, on the page; it has 30 seconds. What it throws is not passed on. */
  read: ReadProvided;
}

/** A resource that the page provides at the moment. */
export interface Provided {
  /** Tells the subscribers that the content is another now. Never rejects. */
  changed(): Promise<void>;
  /** Takes the resource off the list. Further calls do nothing. Never rejects. */
  remove(): Promise<void>;
}

/** What the page provides, kept for the next worker. */
export class ProvidedByPage {
  readonly #resources = new Map<string, ProvidedResource>();

  /** Provides everything again. */
  async restore(server: ServerWorker): Promise<void> {
    await Promise.all([...this.#resources.values()].map((resource) => tell(server, resource)));
  }

  /** @see Runtime.provide */
  async provide(supervisor: WorkerSupervisor, resource: ProvidedResource): Promise<Provided> {
    await supervisor.twice((server) => tell(server, resource));
    const { uri } = resource;
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
}

async function tell(
  server: ServerWorker,
  { read, ...description }: ProvidedResource,
): Promise<void> {
  await server.call((control) => control.provide(description, proxy(read)));
}
