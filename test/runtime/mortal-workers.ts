/** Workers for a runtime, of which a test may kill the last. */
export class MortalWorkers {
  /** All that were made, in order. */
  readonly made: Worker[] = [];
  /** Runs before each is made, with the number of those before. */
  onmake: (count: number) => void = () => undefined;

  /** The default worker, made where it can be killed. */
  readonly make = (): Worker => this.#add('../../packages/runtime/src/worker.js', 'inpage-mcp');

  /**
   * What makes a worker that tells what is asked of it.
   *
   * @param channel The name of the channel that it tells on.
   */
  telling(channel: string): () => Worker {
    return () => this.#add('../fixtures/telling-worker.js', channel);
  }

  get last(): Worker {
    return this.made.at(-1)!;
  }

  /** As the browser does when a worker crashes: it is gone, and nobody is told. */
  kill(): void {
    this.last.terminate();
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
