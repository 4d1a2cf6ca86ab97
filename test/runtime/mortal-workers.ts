import { startRuntime, type Runtime } from '@inpage-mcp/runtime';
import { deleteDatabase, freshDatabaseName } from '../support/database.js';

/** Workers for a runtime, of which a test may kill the last. */
export class MortalWorkers {
  /** All that were made, in order. */
  readonly made: Worker[] = [];
  /** Whether one ended otherwise than in good order. */
  isAnyKilled = false;
  /** Runs before each is made, with the number of those before. */
  onmake: (count: number) => void = () => undefined;

  /** The default worker, made where it can be killed, and without a new log of its stores at each start. */
  readonly make = (): Worker => this.#add('./default.worker.js', 'inpage-mcp');

  /**
   * What makes a worker that records what is asked of it.
   *
   * @param channel The name of the channel that it reports on.
   */
  recorder(channel: string): () => Worker {
    return () => this.#add('../fixtures/recording-worker.js', channel);
  }

  get last(): Worker {
    return this.made.at(-1)!;
  }

  /** As the browser does when a worker crashes: it is gone, and nobody is notified. */
  kill(): void {
    this.isAnyKilled = true;
    this.last.terminate();
  }

  /**
   * Deletes their database, once they are closed. Where one was killed, nobody waits for that: WebKit
   * (2.50) may keep its connection for as long as the page lives.
   */
  async deleteDatabase(name: string): Promise<void> {
    const deleted = deleteDatabase(name);
    if (!this.isAnyKilled) await deleted;
  }

  #add(path: string, name: string): Worker {
    this.onmake(this.made.length);
    const worker = new Worker(new URL(path, import.meta.url), { type: 'module', name });
    this.made.push(worker);
    return worker;
  }
}

/** A worker that is none: its script is this text. */
export function scriptWorker(script: string): Worker {
  return new Worker(URL.createObjectURL(new Blob([script], { type: 'text/javascript' })));
}

/**
 * A worker that lives, and answers the calls of its page, comlink's messages, as a test says.
 *
 * @param outcomeOf A function of the method and its first argument, as text: gives the outcome, or
 *   `undefined` for no answer at all. `live` and `start` are answered in any case.
 * @param starts Whether `start` is answered. Default: it is.
 */
export function answeringWorker(outcomeOf: string, starts = true): Worker {
  return scriptWorker(`
    const outcomeOf = ${outcomeOf};
    onmessage = async ({ data: { id, path, argumentList = [] } }) => {
      const [method] = path;
      const [first] = argumentList.map(({ value }) => value);
      if (method === 'live' && first) {
        await new Promise((held) =>
          navigator.locks.request(first, () => (held(), new Promise(() => undefined))),
        );
      }
      const isStart = method === 'live' || (${starts} && method === 'start');
      const value = isStart ? { ok: true, value: true } : outcomeOf(method, first);
      if (value) postMessage({ id, type: 'RAW', value });
    };
  `);
}

/** What a test has of its own runtime. */
interface Mortal {
  databaseName: string;
  workers: MortalWorkers;
  runtime: Runtime;
}

/** Gives each test of a suite a runtime of its own, whose workers it can kill. */
export function useMortalRuntime(use: (mortal: Mortal) => void): void {
  let mortal: Mortal;
  beforeEach(async () => {
    const [databaseName, workers] = [freshDatabaseName(), new MortalWorkers()];
    mortal = {
      databaseName,
      workers,
      runtime: await startRuntime({ databaseName, worker: workers.make }),
    };
    use(mortal);
  });
  afterEach(async () => {
    await mortal.runtime.close();
    await mortal.workers.deleteDatabase(mortal.databaseName);
  });
}
