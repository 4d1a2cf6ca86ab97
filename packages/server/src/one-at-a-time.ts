import { nextTask } from './next-task.js';

/** Work that is done one after the other, each in a task of its own, so that others get theirs. */
export class OneAtATime {
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Settles with the work. It begins when all that came before has settled, even if nobody waits
   * for that any longer: what cannot be stopped still takes its room.
   *
   * @param signal Whoever aborts it has the reason at once, and work that has not begun never does.
   */
  async run<Value>(work: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
    signal.throwIfAborted();
    const turn = this.#last.then(() => inTask(work, signal));
    this.#last = turn.catch(() => undefined);
    let leave!: () => void;
    const left = new Promise<never>((_resolve, reject) => {
      leave = () => reject(signal.reason);
    });
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await Promise.race([turn, left]);
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }
}

async function inTask<Value>(work: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  await new Promise<void>((resolve) => nextTask(resolve));
  signal.throwIfAborted();
  return await work();
}
