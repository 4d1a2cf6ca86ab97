import type { FileToSave } from './file-target.js';
import type { FailedFile, UploadBatch } from './upload-batch.js';

/**
 * The user has added files to an `<mcp-file-drop>`. Cancelable: then the element saves nothing, as in an
 * app that does it itself.
 */
export class McpFilesAddEvent extends Event {
  static readonly eventName = 'mcp-files-add';
  /** The files with the paths at which they are to be saved. */
  readonly files: readonly FileToSave[];

  constructor(files: readonly FileToSave[]) {
    super(McpFilesAddEvent.eventName, { bubbles: true, composed: true, cancelable: true });
    this.files = files;
  }
}

/** An `<mcp-file-drop>` is done with the files that were added together. */
export class McpFilesSaveEvent extends Event {
  static readonly eventName = 'mcp-files-save';
  /** The paths of the saved files, as they are stored. */
  readonly saved: readonly string[];
  /** The files that could not be saved, and why. */
  readonly failed: readonly FailedFile[];
  /** The paths that were taken, and that the user skipped. */
  readonly skipped: readonly string[];
  /** Whether the user cancelled the rest. */
  readonly isCancelled: boolean;

  constructor({ saved, failed, skipped, state }: UploadBatch) {
    super(McpFilesSaveEvent.eventName, { bubbles: true, composed: true });
    this.saved = saved;
    this.failed = failed;
    this.skipped = skipped;
    this.isCancelled = state === 'cancelled';
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'mcp-files-add': McpFilesAddEvent;
    'mcp-files-save': McpFilesSaveEvent;
  }
}
