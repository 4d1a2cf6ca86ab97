// The store and its two halves.
export { openStore, type Store, type StoreView } from './open-store.js';
export type { StoreScope } from './store-scope.js';
export type { NoteStore } from './note-store.js';
export type { NewNote, NotePage, NoteUpdate } from './note-records.js';
export type { NoteMatches, NoteSearchOptions } from './note-search.js';
export type { NoteMatch } from './best-matches.js';
export type { FileStore } from './file-store.js';
export type { FileMoveOptions, FilePage, FileUpdate, FileWriteOptions } from './file-records.js';
export type { FileChildren } from './file-children.js';
export type { AnnotationsUpdate } from './annotations.js';
export type { Annotations, Audience, Note, NoteSummary, StoredFile } from './schema.js';

// How to write it.
export type { RevisionOption, WriteOptions } from './write-options.js';
export { IDEMPOTENCY_KEY_TTL_MS } from './once.js';

// What happened to it.
export type { StoreChange, StoreChangeListener, StoreChanges } from './store-changes.js';
export { StoreError, type StoreErrorCode } from './store-error.js';

// How much of it there may be.
export {
  MAX_IDEMPOTENCY_KEY_LENGTH,
  MAX_MATCHES,
  MAX_MEDIA_TYPE_LENGTH,
  MAX_PAGE,
  MAX_PATH_BYTES,
  MAX_QUERY_LENGTH,
  MAX_QUERY_WORDS,
  MAX_TAG_LENGTH,
  MAX_TAGS,
  MAX_TEXT_BYTES,
  MAX_TITLE_LENGTH,
} from './limits.js';

// How texts are compared.
export { fold } from './folded-text.js';
