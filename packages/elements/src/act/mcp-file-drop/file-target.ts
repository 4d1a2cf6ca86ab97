/** How a file is written. */
export interface FileTargetOptions {
  /** With 0, the file is written only if no file exists at the path. */
  expectedRevision?: number;
  /** Cancels the write. */
  signal: AbortSignal;
  /** Receives how many bytes are written. */
  onProgress: (done: number, total: number) => void;
}

/**
 * Where files are written. `runtime.files` of `@inpage-mcp/runtime` is one. A call rejects with an
 * error whose `code` is `conflict` if a file exists at the path although none was expected, and with
 * the reason of its signal.
 */
export interface FileTarget {
  /** Writes a file; resolves when it is stored. */
  write(path: string, content: Blob, options: FileTargetOptions): Promise<unknown>;
}

/** A file, and the path at which it is to be written. */
export interface FileToSave {
  /** With the folders that were dropped: `photos/cat.png`. */
  path: string;
  /** The file as the browser hands it over. */
  file: File;
}

/** What happens with a file whose path is taken. */
export type ConflictChoice = 'keep-both' | 'replace' | 'skip';
