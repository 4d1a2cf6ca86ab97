/** The amount of stored data. */
export interface DataEstimate {
  /** The number of notes. */
  notes: number;
  /** The number of files. */
  files: number;
  /** The space that they take, in bytes. Default: unknown. */
  usedBytes?: number | undefined;
  /** The space that the browser provides, in bytes. Default: unknown. */
  quotaBytes?: number | undefined;
  /** Whether the browser has promised not to delete them by itself. Default: unknown. */
  persisted?: boolean | undefined;
}

/** The numbers of notes or files of an import, by outcome. */
export interface ImportedCounts {
  /** The number of new entries: none with the address existed. */
  added: number;
  /** The number of entries that were newer than the stored ones, and replaced them. */
  updated: number;
  /** The number of entries that are the same as the stored ones. */
  unchanged: number;
  /** The number of entries that are older than the stored ones, and were left out. */
  older: number;
  /** The number of entries that differ from the stored ones, and were kept as a copy. */
  copied: number;
}

/** The result of an import. */
export interface DataImport {
  /** The numbers of its notes. */
  notes: ImportedCounts;
  /** The numbers of its files. */
  files: ImportedCounts;
  /** The names of entries that another program has changed since the export. */
  edited: readonly string[];
  /** The entries that were left out, and the reasons; perhaps not all of them. */
  skipped: readonly { name: string; reason: string }[];
  /** The number of entries that were left out. */
  skippedCount: number;
}

/** The options for cancelling a long call, and for its progress. */
export interface DataTaskOptions {
  /** A signal whose abort cancels the call, which then rejects with its reason. */
  signal: AbortSignal;
  /** Receives the progress, in units of the storage. */
  onProgress: (done: number, total: number) => void;
}

/**
 * All of the user's data. `runtime.storage` of `@inpage-mcp/runtime` is one. Calls reject with errors whose
 * message is for the user; if there is not enough space, with a `quota` of `usedBytes` and `quotaBytes`.
 */
export interface DataStorage {
  /** Counts the stored data. */
  estimate(): Promise<DataEstimate>;
  /** Asks the browser not to delete the data by itself. `isAsking` means that the user has not answered yet. */
  persist(): Promise<{ persisted: boolean; isAsking?: boolean }>;
  /** Exports all data as a zip. */
  exportZip(options: DataTaskOptions): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
  /**
   * Merges a zip with the stored data.
   *
   * @param options.maxBytes The maximum size of the unpacked zip, in bytes. If it is exceeded, the call
   *   rejects with the code `too-large` before it writes anything. Default: the storage decides.
   */
  importZip(zip: Blob, options: DataTaskOptions & { maxBytes?: number }): Promise<DataImport>;
  /** Deletes all data. */
  clear(): Promise<void>;
}

/** Encrypts exports with a passphrase. Calls reject with errors whose message is for the user. */
export interface ExportProtection {
  /** The extension of a protected export, such as `.age`. */
  readonly extension: string;
  /**
   * A sentence with further information for the user, such as the programs that open the file. Default: none.
   */
  readonly remark?: string | undefined;
  /** Whether a file that the user wants to import is protected. */
  isProtected(file: File): Promise<boolean>;
  /** Encrypts an export. */
  protect(zip: Blob, passphrase: string, signal: AbortSignal): Promise<Blob>;
  /** Decrypts a file, and rejects unless it is complete and the passphrase is right. */
  open(file: Blob, passphrase: string, signal: AbortSignal): Promise<Blob>;
}
