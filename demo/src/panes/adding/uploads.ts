import type { Runtime } from '@inpage-mcp/runtime';
import { fromEvent, type FileWithPath } from 'file-selector';
import { writeBeside } from './write-beside.js';

/** What became of one file. */
export type Upload = { path: string } | { name: string; error: unknown } | { left: true };

/** Shows one file's way into the store, and lets the user stop it. */
export interface UploadWatch {
  /** In bytes. */
  onProgress(done: number, total: number): void;
  /** Stops this file. */
  signal: AbortSignal;
  end(): void;
}

/** Begins to show a file, the first being 1. */
export type WatchUpload = (file: File, number: number) => UploadWatch | undefined;

/** The files of a drop, a paste or an `<input>`, folders with all that is in them. */
export async function filesOf(event: Event): Promise<File[]> {
  const found = await fromEvent(event);
  return found.filter((file): file is FileWithPath => file instanceof File);
}

/**
 * Stores files one after the other. A failure ends that file only.
 *
 * @param signal Leaves out what is not stored yet.
 */
export async function uploadAll(
  runtime: Runtime,
  files: readonly File[],
  watch: WatchUpload,
  signal: AbortSignal,
): Promise<Upload[]> {
  const uploads: Upload[] = [];
  for (const [index, file] of files.entries()) {
    const watched = signal.aborted ? undefined : watch(file, index + 1);
    const stop = AbortSignal.any([signal, ...(watched ? [watched.signal] : [])]);
    const options = { signal: stop, ...(watched && { onProgress: watched.onProgress }) };
    try {
      const write = (path: string): Promise<unknown> =>
        runtime.files.write(path, file, { ...options, expectedRevision: 0 });
      uploads.push({ path: await writeBeside(pathOf(file), write) });
    } catch (error) {
      uploads.push(stop.aborted ? { left: true } : { name: file.name, error });
    } finally {
      watched?.end();
    }
  }
  return uploads;
}

/** Where a file lies in the folder that was dropped: `photos/cat.png`. */
function pathOf(file: File & Partial<FileWithPath>): string {
  return (file.path ?? file.webkitRelativePath).replace(/^\.?\//, '') || file.name;
}
