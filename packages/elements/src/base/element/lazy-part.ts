import { loadPart } from '../look/load-part.js';

/**
 * A part of an element that is loaded when it is first needed. The element works without it. After a
 * failure, the next `load()` tries again: an element that calls it with each update looks at `error` first.
 */
export class LazyPart<Part> {
  /** The part, once it is there. */
  value: Part | undefined;
  /** Why it could not be loaded, as a `PartError`; until it is asked for again. */
  error: unknown;
  readonly #load: () => Promise<Part>;
  readonly #onsettle: (isThere: boolean) => void;
  #loading: Promise<Part | undefined> | undefined;

  /** @param onsettle Called when it is there, or could not be loaded. Default: nothing. */
  constructor(load: () => Promise<Part>, onsettle: (isThere: boolean) => void = () => undefined) {
    this.#load = load;
    this.#onsettle = onsettle;
  }

  /** The part as soon as it is there; `undefined` if it cannot be loaded. */
  async load(): Promise<Part | undefined> {
    this.#loading ??= this.#start();
    return await this.#loading;
  }

  async #start(): Promise<Part | undefined> {
    this.error = undefined;
    try {
      this.value = await loadPart(this.#load);
    } catch (error) {
      this.error = error;
      this.#loading = undefined;
    }
    this.#onsettle(this.value !== undefined);
    return this.value;
  }
}
