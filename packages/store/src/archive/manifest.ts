import type { StoredFile } from '../schema/schema.js';

/** The folder of files in an archive. */
export const FILES_FOLDER = 'files/';

/**
 * The file that describes the archive, and contains the metadata of its files. It is JSON Lines: each
 * line is a JSON object. The first line is a {@link ManifestHead}, each other one a
 * {@link ManifestLine}.
 */
export const MANIFEST_NAME = 'manifest.jsonl';

export const FORMAT = 'inpage-mcp archive';
export const VERSION = 2;

/** The first line of the manifest. */
interface ManifestHead {
  format: typeof FORMAT;
  version: typeof VERSION;
  /** The start of the export, in ISO 8601. */
  exportedAt: string;
  /** The numbers of notes and files in the archive. */
  counts: { notes: number; files: number };
}

/**
 * The record of a file, with its name in the archive if that is not its path in `files/`, or an entry that is
 * missing from the archive, or incomplete. The files are in the order of their paths.
 */
type ManifestLine = { file: StoredFile; name?: string } | { unreadable: Skipped };

/** An entry that was not exported or not imported. */
export interface Skipped {
  /** The id of a note, or the name of its file; the path of a file in the archive. */
  name: string;
  /** A sentence for users. */
  reason: string;
}

/** The size of the Blobs that hold the lines, in UTF-16 code units. */
const PART_LENGTH = 1024 * 1024;

/** Builds the manifest in Blobs, so that it need not fit into memory. */
export class ManifestWriter {
  readonly counts: ManifestHead['counts'] = { notes: 0, files: 0 };
  readonly #exportedAt: string;
  readonly #parts: Blob[] = [];
  #text = '';

  /** @param exportedAt The start of the export, in milliseconds since 1970. */
  constructor(exportedAt: number) {
    this.#exportedAt = new Date(exportedAt).toISOString();
  }

  /** @param name Its name in the archive. */
  addFile(file: StoredFile, name: string): void {
    this.#add({ file, ...(name !== FILES_FOLDER + file.path && { name }) });
    this.counts.files += 1;
  }

  addUnreadable(unreadable: Skipped): void {
    this.#add({ unreadable });
  }

  get content(): Blob {
    const head: ManifestHead = {
      format: FORMAT,
      version: VERSION,
      exportedAt: this.#exportedAt,
      counts: this.counts,
    };
    return new Blob([`${JSON.stringify(head)}\n`, ...this.#parts, this.#text]);
  }

  #add(line: ManifestLine): void {
    this.#text += `${JSON.stringify(line)}\n`;
    if (this.#text.length < PART_LENGTH) return;
    this.#parts.push(new Blob([this.#text]));
    this.#text = '';
  }
}
