import { RuntimeError, type FileWriteOptions, type Runtime } from '@inpage-mcp/runtime';

/**
 * Stores a file under its path, or beside the one that is there: nothing is overwritten.
 *
 * @returns The path that it has.
 */
export async function writeBeside(
  { files }: Runtime,
  path: string,
  file: Blob,
  options: Omit<FileWriteOptions, 'expectedRevision'>,
): Promise<string> {
  for (let copy = 1; ; copy += 1) {
    const free = copy === 1 ? path : numbered(path, copy);
    try {
      await files.write(free, file, { ...options, expectedRevision: 0 });
      return free;
    } catch (error) {
      if (!(error instanceof RuntimeError) || error.code !== 'conflict') throw error;
    }
  }
}

/** `a/b.txt` as `a/b (2).txt`. */
function numbered(path: string, copy: number): string {
  const dot = path.lastIndexOf('.');
  const end = dot > path.lastIndexOf('/') + 1 ? dot : path.length;
  return `${path.slice(0, end)} (${copy})${path.slice(end)}`;
}
