import { FILES_FOLDER, FORMAT, MANIFEST_NAME } from './manifest.js';
import { NOTES_FOLDER } from './note-entry.js';
import { FIRST_MANIFEST_NAME } from './read-manifest.js';
import type { ZipEntry } from './read-zip.js';

/** Where the export in an archive is, and how its folders are spelled: a program may have used capitals. */
export interface ExportRoot {
  /** The folder around it, with a slash at its end; '' if there is none. */
  readonly folder: string;
  readonly notes: string;
  readonly files: string;
}

/** As an export is written. */
export const PLAIN_ROOT: ExportRoot = { folder: '', notes: NOTES_FOLDER, files: FILES_FOLDER };

/** How many folders are compared: the memory that this takes must not depend on the archive. */
const MAX_ROOTS = 1_000;
/** How many of them may be there only for what others have, too, such as the manifest of a web app. */
const MAX_UNSURE_ROOTS = 500;
/** Of how many the manifest is read. */
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
   * The one with a manifest of ours, or else with notes, and of these the one with the most entries.
   *
   * @param readHead Reads the beginning of an entry; '' where that cannot be read.
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

  /** A user may have a file that is called so, or an unpacked export among the files. */
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

/** Where the first folder of this name starts in a path; -1 if there is none. */
function startOf(path: string, folder: string): number {
  if (path.startsWith(folder)) return 0;
  const before = path.indexOf(`/${folder}`);
  return before === -1 ? -1 : before + 1;
}

/** How a folder is spelled: as an export has it, if one entry has it so; else as the last one has it. */
function spelling(name: string, at: number, folder: string, known: string | undefined): string {
  const own = name.slice(at, at + folder.length);
  return known === folder ? known : own;
}
