import { parseResourceUri } from './resource-uris.js';
import { startTimer } from './start-timer.js';

/**
 * How many handlers of one connection look through everything that is stored, whether or not anybody
 * waits for them still: one whose request was cancelled, or is late, may go on all the same.
 */
export class HeavyWork {
  /** Called when some of it has come to its end. */
  onend: (() => void) | undefined;
  readonly #longestMs: number;
  #count = 0;

  /** @param longestMs After this time, in milliseconds, work that does not end no longer counts. */
  constructor(longestMs: number) {
    this.#longestMs = longestMs;
  }

  get count(): number {
    return this.#count;
  }

  async run<Value>(work: () => Value | Promise<Value>): Promise<Value> {
    this.#count += 1;
    let isCounted = true;
    const end = (): void => {
      if (!isCounted) return;
      isCounted = false;
      this.#count -= 1;
      this.onend?.();
    };
    const timer = startTimer(end, this.#longestMs);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      end();
    }
  }
}

/** Whether a request may look through everything that is stored, and keep others from the disk. */
export function isHeavy(method: string, params: { [key: string]: unknown } | undefined): boolean {
  switch (method) {
    case 'prompts/get':
    case 'completion/complete':
      return true;
    case 'tools/call':
      return (
        SEARCHING_TOOLS.includes(params?.['name']) || hasSeveralContents(argumentsOf(params)['uri'])
      );
    case 'resources/read':
      return hasSeveralContents(params?.['uri']);
    default:
      return false;
  }
}

const SEARCHING_TOOLS: readonly unknown[] = ['search_notes', 'search_files'];

/** A search looks through everything, and a folder reads up to 100 files; an app's uris do neither. */
function hasSeveralContents(uri: unknown): boolean {
  const kind = typeof uri === 'string' ? parseResourceUri(uri)?.kind : undefined;
  return kind === 'search' || kind === 'folder';
}

function argumentsOf(params: { [key: string]: unknown } | undefined): { [key: string]: unknown } {
  const args = params?.['arguments'];
  return typeof args === 'object' && args !== null ? (args as { [key: string]: unknown }) : {};
}
