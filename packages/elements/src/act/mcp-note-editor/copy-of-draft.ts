import { hasSameWords, type NoteStorage, type NoteWords } from './note-storage.js';
import { newKey } from './write-key.js';

/**
 * A note that takes the words of a draft which have no other place. All attempts write to the same note,
 * also if the user asks again or goes on typing.
 */
export class CopyOfDraft {
  readonly #rename: (title: string) => string;
  readonly #tags: readonly string[] | undefined;
  #id: string | undefined;
  #copied: NoteWords | undefined;
  #creation: { words: NoteWords; idempotencyKey: string } | undefined;
  #saving: Promise<string> | undefined;

  constructor(rename: (title: string) => string, tags: readonly string[] | undefined) {
    this.#rename = rename;
    this.#tags = tags;
  }

  /** Stores what `read` returns, until that does not change any more. Resolves with the note's id. */
  async save(storage: NoteStorage, read: () => NoteWords): Promise<string> {
    // Another call has perhaps read before the last words were typed.
    await this.#saving?.catch(() => undefined);
    this.#saving ??= this.#saveAll(storage, read).finally(() => (this.#saving = undefined));
    return await this.#saving;
  }

  async #saveAll(storage: NoteStorage, read: () => NoteWords): Promise<string> {
    for (;;) {
      const words = read();
      if (this.#id !== undefined && this.#copied && hasSameWords(this.#copied, words))
        return this.#id;
      await this.#write(storage, words);
      this.#copied = words;
    }
  }

  async #write(storage: NoteStorage, words: NoteWords): Promise<void> {
    const title = this.#rename(words.title);
    if (this.#id !== undefined) {
      const { revision } = await storage.get(this.#id);
      const options = { expectedRevision: revision, idempotencyKey: newKey() };
      await storage.update(this.#id, { ...words, title }, options);
      return;
    }
    if (!this.#creation || !hasSameWords(this.#creation.words, words))
      this.#creation = { words, idempotencyKey: newKey() };
    const { idempotencyKey } = this.#creation;
    const note = { title, text: words.text, ...(this.#tags && { tags: [...this.#tags] }) };
    this.#id = (await storage.create(note, { idempotencyKey })).id;
  }
}
