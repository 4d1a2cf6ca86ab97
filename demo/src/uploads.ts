import { RuntimeError, type Runtime } from '@inpage-mcp/runtime';
import { fromEvent, type FileWithPath } from 'file-selector';

/** What became of one file. */
export type Upload = { path: string } | { name: string; error: unknown };

/** The files of a drop, a paste or an `<input>`, folders with all that is in them. */
export async function filesOf(event: Event): Promise<File[]> {
  const found = await fromEvent(event);
  return found.filter((file): file is FileWithPath => file instanceof File);
}

/** Stores files one after the other. A failure ends that file only. */
export async function uploadAll(runtime: Runtime, files: readonly File[]): Promise<Upload[]> {
  const uploads: Upload[] = [];
  for (const file of files) {
    try {
      uploads.push({ path: await uploadBeside(runtime, pathOf(file), file) });
    } catch (error) {
      uploads.push({ name: file.name, error });
    }
  }
  return uploads;
}

/** Stores a file under its path, or beside the one that is there: nothing is overwritten. */
async function uploadBeside(runtime: Runtime, path: string, file: File): Promise<string> {
  for (let copy = 1; ; copy += 1) {
    const free = copy === 1 ? path : numbered(path, copy);
    try {
      await runtime.files.write(free, file, { expectedRevision: 0 });
      return free;
    } catch (error) {
      if (!(error instanceof RuntimeError) || error.code !== 'conflict') throw error;
    }
  }
}

/** Where a file lies in the folder that was dropped: `photos/cat.png`. */
function pathOf(file: File & Partial<FileWithPath>): string {
  return (file.path ?? file.webkitRelativePath).replace(/^\.?\//, '') || file.name;
}

/** `a/b.txt` as `a/b (2).txt`. */
function numbered(path: string, copy: number): string {
  const dot = path.lastIndexOf('.');
  const end = dot > path.lastIndexOf('/') + 1 ? dot : path.length;
  return `${path.slice(0, end)} (${copy})${path.slice(end)}`;
}
