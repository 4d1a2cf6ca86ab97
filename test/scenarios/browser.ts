import { executeServerCommand } from '@web/test-runner-commands';
import { secondOrigin } from '../support/second-origin.js';
import { frames } from '../support/within.js';

/** Does something to the browser (scripts/test-runner/browser-control.mjs). */
async function control<Value = void>(does: string, payload: object = {}): Promise<Value> {
  let answer: unknown = await executeServerCommand('browser-control', { does, ...payload });
  while (isUnfinished(answer)) answer = await executeServerCommand('browser-control', answer);
  return (answer as { value: Value }).value;
}

/** Whether it is the number of something that takes longer than a command may. */
function isUnfinished(answer: unknown): answer is { unfinished: number } {
  return (answer as { unfinished?: number }).unfinished !== undefined;
}

/** Draws this page with the colours of the system, or again without; only Chromium can. */
export async function forceColors(isOn: boolean): Promise<boolean> {
  await control('forceColors', { isOn });
  return matchMedia('(forced-colors: active)').matches === isOn;
}

/**
 * An origin that nothing else is of, with the same files: what is of it has a process of its own,
 * which can come to grief without harm to the tests that run at the same time.
 */
export function ownOrigin(): string {
  const host = `o${crypto.randomUUID()}.localhost`;
  return secondOrigin.replace('127.0.0.1', host);
}

/** Another tab, with a page of test/fixtures in it. */
export class Tab {
  readonly url: string;
  readonly #number: number;

  private constructor(url: string, number: number) {
    this.url = url;
    this.#number = number;
  }

  /** Resolves once it has loaded. Close it in the end. */
  static async open(origin: string = location.origin, page = 'scenario-page'): Promise<Tab> {
    // An address of its own, to be found by.
    const url = `${origin}/test/fixtures/${page}.html?${crypto.randomUUID()}`;
    return new Tab(url, await control<number>('open', { url }));
  }

  /** Calls a function of the page's `scenario`; the tab has to run. */
  call<Value = unknown>(name: string, ...args: unknown[]): Promise<Value> {
    const { origin, pathname } = new URL(this.url);
    const module = origin + pathname.replace(/html$/, 'ts');
    return control<Value>('call', { tab: this.#number, module, name, args });
  }

  /** Goes to a page of the same origin that does nothing. */
  leave(): Promise<void> {
    const url = new URL('guest.html', this.url).href;
    return control('goto', { tab: this.#number, url });
  }

  /**
   * Goes back to the page before; resolves with the reasons that Chromium gives if that page did not
   * come from the back/forward cache.
   */
  back(): Promise<string[]> {
    return control('back', { tab: this.#number });
  }

  /** As the browser does with a tab that was hidden for long. */
  freeze(): Promise<void> {
    return control('lifecycle', { tab: this.#number, state: 'frozen' });
  }

  thaw(): Promise<void> {
    return control('lifecycle', { tab: this.#number, state: 'active' });
  }

  /** Leaves its origin so much room for data; take one of an {@link ownOrigin}. */
  limitRoom(bytes: number): Promise<void> {
    return control('limitRoom', { tab: this.#number, bytes });
  }

  /** Shows a dialog, behind which the main thread of the tab stands still. */
  showDialog(): Promise<void> {
    return control('showDialog', { tab: this.#number });
  }

  closeDialog(): Promise<void> {
    return control('closeDialog', { tab: this.#number });
  }

  close(): Promise<void> {
    return control('close', { tab: this.#number });
  }
}

/** Crashes the process of the page or frame at an address; it is of an {@link ownOrigin}. */
export function crash(url: string): Promise<void> {
  return control('crash', { url });
}

/** Stops that process; resolves with what lets it go on. */
export async function stop(url: string): Promise<() => Promise<void>> {
  const pid = await control<number>('stop', { url });
  return () => control('goOn', { pid });
}

/**
 * How long the main thread of this page has had the processor so far, in milliseconds; others on the
 * machine do not count. Undefined where the browser does not say: only Chromium does.
 */
export function threadTimeMs(): Promise<number | undefined> {
  return control<number | undefined>('threadTime');
}

/** How long the processor was of the longest task of this page while something is done, in the same way. */
export async function longestTaskMs(work: () => Promise<unknown>): Promise<number | undefined> {
  const mark = `tasks-${crypto.randomUUID()}`;
  const isRecorded = await control<boolean>('recordTasks');
  performance.mark(mark);
  let longestMs: number | undefined;
  try {
    await work();
    // What the work has left to be done counts, too.
    await frames(3);
  } finally {
    if (isRecorded) longestMs = await control<number>('longestTask', { mark });
  }
  return longestMs;
}

/** How much memory of scripts this page uses, in bytes, without what nothing refers to; undefined where the browser does not say. */
export function usedHeapBytes(): Promise<number | undefined> {
  return control<number | undefined>('heap');
}

/** An origin with the same files, and what takes it off the network. */
export interface ClosableOrigin {
  origin: string;
  close(): Promise<void>;
}

/** @param cacheControl What it says of all its files, such as `no-store`. */
export async function openOrigin(cacheControl: string): Promise<ClosableOrigin> {
  const port = await control<number>('openServer', { cacheControl });
  return {
    origin: `http://localhost:${port}`,
    close: () => control('closeServer', { port }),
  };
}

/** A script of which only half arrives until it is let go (test/support/held-files.mjs). */
export class HeldScript {
  readonly url: string;
  readonly #file: number;

  private constructor(file: number) {
    this.#file = file;
    this.url = `${location.origin}/__held/${file}.js`;
  }

  /** @param source Default: the default worker, as it is shipped. */
  static async make(source?: string): Promise<HeldScript> {
    return new HeldScript(await control<number>('holdFile', { source }));
  }

  /** Resolves once it was asked for so often, and has arrived by half. */
  whenRequested(times: number): Promise<void> {
    return control('whenFileRequested', { file: this.#file, times });
  }

  requests(): Promise<number> {
    return control('fileRequests', { file: this.#file });
  }

  /** Sends the rest, also to who asks later. */
  letGo(): Promise<void> {
    return control('letFileGo', { file: this.#file });
  }

  /** Breaks the connections off. */
  breakOff(): Promise<void> {
    return control('breakFileOff', { file: this.#file });
  }
}
