import { loadPart } from '../look/load-part.js';

/**
 * A part of an element that is loaded when it is first needed. The element works without it. After a failure,
 * the next `load()` tries again, so an element that calls it with each update must check `error` first.
 */
export class LazyPart<Part> {
  /** The part, once it is loaded. */
  value: Part | undefined;
  /** The reason why it could not be loaded, a `PartError`; until the next attempt. */
  error: unknown;
  readonly #load: () => Promise<Part>;
  readonly #onsettle: (isThere: boolean) => void;
  #loading: Promise<Part | undefined> | undefined;

  /** @param onsettle Called when it is loaded, or could not be loaded. Default: nothing. */
  constructor(load: () => Promise<Part>, onsettle: (isThere: boolean) => void = () => undefined) {
    this.#load = load;
    this.#onsettle = onsettle;
  }

  /** Loads the part. Resolves with `undefined` if that fails. */
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
