import type { McpClient } from '@inpage-mcp/client';
import { declares } from '../../reading/declared.js';
import { Throttle } from '../../reading/throttle.js';
import { askBeforeLeaving } from './ask-before-leaving.js';
import { copyTitle } from './copy-title.js';
import { McpNoteLostEvent } from './events.js';
import { NoteDraft } from './note-draft.js';
import type { NoteFields } from './note-fields.js';
import type { NoteStorage } from './note-storage.js';
import { ToolNotes } from './tool-notes.js';

/** From where a note is, in this order: a storage, or the tools of a client, which reports changes, too. */
export interface NoteSource {
  storage: NoteStorage | undefined;
  client: McpClient | undefined;
}

/** Called when something happens to the note of an editor. */
export interface NoteListeners {
  /** There is something else to show. */
  onchange: () => void;
  /** Words are stored. */
  onsave: () => void;
}

/** Notes that were left and are still being saved, by where they are and their id. */
const leaving = new WeakMap<object, Map<string, Promise<void>>>();

/** A note that an editor has open: its draft, and what others change in it, until it is closed. */
export class OpenNote {
  readonly draft: NoteDraft;
  readonly #listeners: NoteListeners;
  readonly #fields: NoteFields;
  #source: NoteSource;
  #watching = new AbortController();
  #isClosed = false;

  constructor(id: string, source: NoteSource, fields: NoteFields, listeners: NoteListeners) {
    this.#source = source;
    this.#fields = fields;
    this.#listeners = listeners;
    this.draft = new NoteDraft(storageOf(source)!, id, fields);
    this.draft.addEventListener('change', () => this.#onChange());
    this.draft.addEventListener('save', () => listeners.onsave());
    this.#watch();
  }

  /** Whether the note is read from there, and changes are reported from there. */
  isFrom({ storage, client }: NoteSource): boolean {
    return this.#source.storage === storage && this.#source.client === client;
  }

  /** Whether the note is read from there; another client may report changes. */
  isAt(source: NoteSource): boolean {
    return placeOf(this.#source) === placeOf(source);
  }

  /** Goes on with another source, or with none for a while. Words that are not stored go there. */
  moveTo(source: NoteSource): void {
    const isElsewhere = !this.isAt(source);
    this.#source = source;
    if (isElsewhere) this.draft.storage = storageOf(source) ?? this.draft.storage;
    this.#watch();
    if (this.draft.state === 'failed') void this.draft.save();
  }

  /** Saves what is not saved yet. Until that is done, the browser asks before it leaves the page. */
  close(): void {
    this.#watching.abort();
    this.#isClosed = true;
    const { draft } = this;
    if (!draft.hasUnsavedWords) return;
    const words = this.#fields.read();
    const place = placeOf(this.#source) ?? draft.storage;
    const notes = leaving.get(place) ?? new Map<string, Promise<void>>();
    leaving.set(place, notes);
    const left = draft.leave(copyTitle).then((isStored) => {
      askBeforeLeaving(draft, false);
      if (notes.get(draft.id) === left) notes.delete(draft.id);
      if (!isStored) window.dispatchEvent(new McpNoteLostEvent(draft.id, words));
    });
    notes.set(draft.id, left);
  }

  #watch(): void {
    this.#watching.abort();
    this.#watching = new AbortController();
    const { signal } = this.#watching;
    const { draft } = this;
    const place = placeOf(this.#source);
    if (!place) return;
    const load = async (): Promise<void> => {
      // Otherwise the words that were just left would be missing.
      await leaving.get(place)?.get(draft.id);
      if (!signal.aborted) await draft.load();
    };
    const refreshes = new Throttle(load);
    signal.addEventListener('abort', () => refreshes.cancel(), { once: true });
    const { client } = this.#source;
    if (client && declares(client, 'resources'))
      client.watch(`note:///${draft.id}`, () => refreshes.request(), { signal });
    refreshes.request();
  }

  #onChange(): void {
    askBeforeLeaving(this.draft, this.draft.hasUnsavedWords);
    if (!this.#isClosed) this.#listeners.onchange();
  }
}

/** What a note is read from; one object for the same place. */
const placeOf = ({ storage, client }: NoteSource): object | undefined => storage ?? client;

const storageOf = ({ storage, client }: NoteSource): NoteStorage | undefined =>
  storage ?? (client && new ToolNotes(client));
