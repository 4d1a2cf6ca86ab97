// The store and its two halves.
export { openStore, type Store } from './open-store.js';
export type { NewNote, NotePage, NoteStore, NoteUpdate } from './note-store.js';
export type { FilePage, FileStore } from './file-store.js';
export type { Note, NoteSummary, StoredFile } from './schema.js';

// What happened to it.
export type { StoreChange, StoreChangeListener, StoreChanges } from './store-changes.js';
export { StoreError, type StoreErrorCode } from './store-error.js';

// How much of it there may be.
export {
  MAX_PAGE,
  MAX_PATH_BYTES,
  MAX_TAG_LENGTH,
  MAX_TAGS,
  MAX_TEXT_BYTES,
  MAX_TITLE_LENGTH,
} from './limits.js';
