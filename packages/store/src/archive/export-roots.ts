import { FILES_FOLDER, FORMAT, MANIFEST_NAME } from './manifest.js';
import { NOTES_FOLDER } from './note-entry.js';
import { FIRST_MANIFEST_NAME } from './read-manifest.js';
import type { ZipEntry } from './read-zip.js';

/**
 * The place of the export in an archive, and the spelling of its folders, because a program may have used
 * capitals.
 */
export interface ExportRoot {
  /** The folder around it, with a slash at its end; '' without one. */
  readonly folder: string;
  readonly notes: string;
  readonly files: string;
}

/** The root of an archive as an export writes it. */
export const PLAIN_ROOT: ExportRoot = { folder: '', notes: NOTES_FOLDER, files: FILES_FOLDER };

/**
 * The maximum number of folders that are compared, so that the memory for this does not depend on the
 * archive.
 */
const MAX_ROOTS = 1_000;
/**
 * The limit for folders whose only sign of an export is a name that others use, too, such as the manifest of
 * a web app.
 */
const MAX_UNSURE_ROOTS = 500;
/** The maximum number of folders whose manifest is read. */
const MAX_MANIFESTS = 20;

interface Candidate {
  readonly folder: string;
  notes?: string;
  files?: string;
  noteCount: number;
  entryCount: number;
  manifest: ZipEntry | undefined;
}

/** The folders of an archive in which an export may be. */
export class ExportRoots {
  readonly #found = new Map<string, Candidate>();

  add(entry: ZipEntry): void {
    const { name } = entry;
    const lower = name.toLowerCase();
    const noteAt = startOf(lower, NOTES_FOLDER);
    const fileAt = startOf(lower, FILES_FOLDER);
    const folder = name.slice(0, name.lastIndexOf('/') + 1);
    if (isManifestName(lower.slice(folder.length))) this.#addManifest(folder, entry);
    if (fileAt !== -1 && (noteAt === -1 || fileAt < noteAt)) {
      const root = this.#at(name.slice(0, fileAt), MAX_UNSURE_ROOTS);
      root.entryCount += 1;
      root.files = spelling(name, fileAt, FILES_FOLDER, root.files);
    } else if (noteAt !== -1 && lower.endsWith('.md')) {
      const root = this.#at(name.slice(0, noteAt), MAX_ROOTS);
      root.entryCount += 1;
      root.noteCount += 1;
      root.notes = spelling(name, noteAt, NOTES_FOLDER, root.notes);
    }
  }

  /**
   * Returns the folder with a manifest of ours, or else with notes; of several, the one with the most
   * entries.
   *
   * @param readHead Reads the beginning of an entry; '' if that cannot be read.
   */
  async best(readHead: (manifest: ZipEntry) => Promise<string>): Promise<ExportRoot> {
    const all = [...this.#found.values()].filter((one) => !this.#isFileOfAnother(one));
    const ranked = all.toSorted(
      (a, b) => b.entryCount - a.entryCount || a.folder.length - b.folder.length,
    );
    const listed = ranked.filter(({ manifest }) => manifest).slice(0, MAX_MANIFESTS);
    for (const root of listed)
      if ((await readHead(root.manifest!)).includes(JSON.stringify(FORMAT))) return rootOf(root);
    const noted = ranked.find(({ noteCount }) => noteCount > 0);
    return noted ? rootOf(noted) : PLAIN_ROOT;
  }

  #addManifest(folder: string, manifest: ZipEntry): void {
    const isFirst = manifest.name.toLowerCase().endsWith(FIRST_MANIFEST_NAME);
    const root = this.#at(folder, isFirst ? MAX_UNSURE_ROOTS : MAX_ROOTS);
    const isExact = manifest.name.endsWith(MANIFEST_NAME);
    if (!root.manifest || isExact) root.manifest = manifest;
  }

  /**
   * Whether the folder is inside the files of another export: a user may have a file with such a name, or
   * keep an unpacked export among the files.
   */
  #isFileOfAnother({ folder }: Candidate): boolean {
    const at = startOf(folder.toLowerCase(), FILES_FOLDER);
    const outer = at === -1 ? undefined : this.#found.get(folder.slice(0, at));
    return outer !== undefined && (outer.noteCount > 0 || outer.manifest !== undefined);
  }

  #at(folder: string, maximum: number): Candidate {
    const known = this.#found.get(folder);
    const root = known ?? { folder, noteCount: 0, entryCount: 0, manifest: undefined };
    if (!known && this.#found.size < maximum) this.#found.set(folder, root);
    return root;
  }
}

/** Whether it is the name of a manifest, without its folder, in lower case. */
export function isManifestName(name: string): boolean {
  return name === MANIFEST_NAME || name === FIRST_MANIFEST_NAME;
}

function rootOf({ folder, notes, files }: Candidate): ExportRoot {
  return { folder, notes: notes ?? PLAIN_ROOT.notes, files: files ?? PLAIN_ROOT.files };
}

/** The position at which the first folder of this name starts in a path; -1 if it does not exist. */
function startOf(path: string, folder: string): number {
  if (path.startsWith(folder)) return 0;
  const before = path.indexOf(`/${folder}`);
  return before === -1 ? -1 : before + 1;
}

/** The spelling of a folder: that of an export if one entry has it; otherwise that of the last entry. */
function spelling(name: string, at: number, folder: string, known: string | undefined): string {
  const own = name.slice(at, at + folder.length);
  return known === folder ? known : own;
}
