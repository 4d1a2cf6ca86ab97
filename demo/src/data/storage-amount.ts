import type { Watch } from '@inpage-mcp/client';
import type { StorageEstimate } from '@inpage-mcp/runtime';
import { html, nothing, type TemplateResult } from 'lit';
import type { Session } from '../session/session.js';
import { sizeInWords, reasonOf } from './storage-words.js';

/** How much is stored, as long as it is followed. */
export class StorageAmount {
  readonly #onChange: () => void;
  #session: Session | undefined;
  #estimate: StorageEstimate | undefined;
  /** Why there is no estimate. */
  #failure: unknown;
  #watch: Watch | undefined;

  /** @param onChange Called when there is something else to show. */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get estimate(): Readonly<StorageEstimate> | undefined {
    return this.#estimate;
  }

  /** Counts now, and whenever any tab has written something. */
  follow(session: Session | undefined): void {
    this.stop();
    this.#session = session;
    this.#watch = session?.client.watch('inpage:///storage', () => void this.count());
    void this.count();
  }

  stop(): void {
    this.#watch?.stop();
    this.#watch = undefined;
  }

  /** Counts once more. Never rejects. */
  async count(): Promise<void> {
    try {
      this.#estimate = await this.#session?.runtime.storage.estimate();
      this.#failure = undefined;
    } catch (error) {
      this.#failure = error;
    }
    this.#onChange();
  }

  render(): TemplateResult {
    if (this.#failure !== undefined) {
      return html`<div class="amount">
        <p class="failure" role="alert">${reasonOf(this.#failure)}</p>
      </div>`;
    }
    if (!this.#estimate) return html`<div class="amount" aria-busy="true">Counting …</div>`;
    const { usedBytes, quotaBytes, meaning } = this.#estimate;
    return html`<div class="amount">
      ${usedBytes === undefined || quotaBytes === undefined ? nothing : renderRoom(usedBytes, quotaBytes)}
      <p>${meaning}</p>
    </div>`;
  }
}

/** How much room is taken. */
function renderRoom(usedBytes: number, quotaBytes: number): TemplateResult {
  return html`<meter
    aria-label="Room taken"
    aria-valuetext=${`${sizeInWords(usedBytes)} of ${sizeInWords(quotaBytes)}`}
    max=${quotaBytes}
    .value=${usedBytes}
  ></meter>`;
}
