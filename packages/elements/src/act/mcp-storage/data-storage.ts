/** How much is stored. */
export interface DataEstimate {
  /** How many notes there are. */
  notes: number;
  /** How many files there are. */
  files: number;
  /** How much room they take, in bytes. Default: unknown. */
  usedBytes?: number | undefined;
  /** How much room the browser gives, in bytes. Default: unknown. */
  quotaBytes?: number | undefined;
  /** Whether the browser has promised not to delete them by itself. Default: unknown. */
  persisted?: boolean | undefined;
}

/** What happened to the notes or the files of an import: how many of them. */
export interface ImportedCounts {
  /** There was none of this address. */
  added: number;
  /** Newer than what was here. */
  updated: number;
  /** The same as here. */
  unchanged: number;
  /** Older than what is here, and left out. */
  older: number;
  /** Different from what is here, and kept as a copy. */
  copied: number;
}

/** What came of an import. */
export interface DataImport {
  /** Its notes. */
  notes: ImportedCounts;
  /** Its files. */
  files: ImportedCounts;
  /** The names of what another program has changed since the export. */
  edited: readonly string[];
  /** What was left out, and why; perhaps not all of it. */
  skipped: readonly { name: string; reason: string }[];
  /** How much was left out. */
  skippedCount: number;
}

/** How a long call is cancelled, and to whom it reports. */
export interface DataTaskOptions {
  /** Cancels it: the call rejects with its reason. */
  signal: AbortSignal;
  /** Receives the progress, in units of the storage. */
  onProgress: (done: number, total: number) => void;
}

/**
 * All of the user's data. `runtime.storage` of `@inpage-mcp/runtime` is one. Calls reject with errors whose
 * message is for the user; where there is no room, with a `quota` of `usedBytes` and `quotaBytes`.
 */
export interface DataStorage {
  /** Counts what is stored. */
  estimate(): Promise<DataEstimate>;
  /** Asks the browser not to delete the data by itself. `isAsking`: the user has not answered yet. */
  persist(): Promise<{ persisted: boolean; isAsking?: boolean }>;
  /** All of it as a zip. */
  exportZip(options: DataTaskOptions): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
  /**
   * Merges a zip with what is stored.
   *
   * @param options.maxBytes How large it may become. Rejects with the code `too-large`, before anything is
   *   written, if it would be larger. Default: up to the storage.
   */
  importZip(zip: Blob, options: DataTaskOptions & { maxBytes?: number }): Promise<DataImport>;
  /** Deletes all of it. */
  clear(): Promise<void>;
}

/** Encrypts exports with a passphrase. Calls reject with errors whose message is for the user. */
export interface ExportProtection {
  /** How the name of a protected export goes on, such as `.age`. */
  readonly extension: string;
  /** What else the user should know, in a sentence, such as which programs open it. Default: nothing. */
  readonly remark?: string | undefined;
  /** Whether a file that the user wants to import is protected. */
  isProtected(file: File): Promise<boolean>;
  /** Encrypts an export. */
  protect(zip: Blob, passphrase: string, signal: AbortSignal): Promise<Blob>;
  /** Decrypts a file, and rejects unless it is complete and the passphrase is right. */
  open(file: Blob, passphrase: string, signal: AbortSignal): Promise<Blob>;
}
