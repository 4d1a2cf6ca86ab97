// The store with its notes and files.
export { openStore, type Store, type StoreOptions, type StoreView } from './open-store.js';
export type { OpeningListener, OpeningProgress } from './database/opening-watch.js';
export type { ChangeHistory, ListedChange } from './undo/change-history.js';
export { recorderOf, type RecorderOf } from './history/record-change.js';
export type { StoreScope } from './changes/store-scope.js';
export type { NoteName } from './notes/note-listing.js';
export type { NoteStore } from './notes/note-store.js';
export type { NewNote, NotePage, NoteUpdate } from './notes/note-records.js';
export type { CreateAllOptions } from './notes/new-notes.js';
export type { NoteSearchOptions } from './notes/note-search.js';
export type { NoteMatch, NoteMatches } from './search/run-search.js';
export type { FileName } from './files/file-listing.js';
export type { FileStore } from './files/file-store.js';
export type { FileAndBytes } from './files/file-reading.js';
export type { FileMatches, FileSearchOptions } from './files/file-search.js';
export type {
  FileMoveOptions,
  FilePage,
  FileRestoreOptions,
  FileUpdate,
  FileWriteOptions,
  NewFile,
  RestoredFile,
} from './files/file-records.js';
export type { FileVerification, VerifyOptions } from './files/file-verification.js';
export { typeOfTextName } from './files/text-types.js';
export type { FileChildren } from './files/file-children.js';
export type { AnnotationsUpdate } from './records/annotations.js';
export type {
  Annotations,
  Audience,
  ClientChange,
  Head,
  Note,
  NoteSummary,
  StoreChange,
  StoredFile,
} from './schema/schema.js';

// Writes.
export type { RevisionOption, UpdateOptions, WriteOptions } from './schema/write-options.js';
export { IDEMPOTENCY_KEY_TTL_MS } from './changes/idempotency-keys.js';

// Export and import.
export type { ArchiveOptions, ImportOptions } from './archive/export-zip.js';
export type { ParseYaml } from './records/front-matter.js';
export type { ImportCounts, ImportReport } from './archive/import-report.js';
export type { ProgressListener } from './errors/progress.js';

// Changes, losses and errors.
export type { ChangeAuthor } from './changes/store-scope.js';
export type { StoreChangeListener, StoreChanges } from './changes/store-changes.js';
export type { StorageLoss } from './database/storage-loss.js';
export { type Quota, StoreError, type StoreErrorCode } from './errors/store-error.js';

// Limits.
export {
  MAX_FILE_BYTES,
  MAX_IDEMPOTENCY_KEY_LENGTH,
  MAX_INDEXED_WORDS,
  MAX_MATCHES,
  MAX_MEDIA_TYPE_LENGTH,
  MAX_NOTES_AT_ONCE,
  MAX_PAGE,
  MAX_PATH_BYTES,
  MAX_QUERY_LENGTH,
  MAX_QUERY_WORDS,
  MAX_TAG_LENGTH,
  MAX_TAGS,
  MAX_TEXT_BYTES,
  MAX_TEXT_BYTES_AT_ONCE,
  MAX_TITLE_LENGTH,
} from './schema/limits.js';

// Comparison of texts.
export { fold } from './records/folded-text.js';
