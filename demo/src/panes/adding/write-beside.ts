import { RuntimeError } from '@inpage-mcp/runtime';

/**
 * Stores a file under its path, or beside the one that is there: nothing is overwritten.
 *
 * @param write Stores it under a path that must be free, and rejects with `conflict` if it is not.
 * @returns The path that it has.
 */
export async function writeBeside(
  path: string,
  write: (free: string) => Promise<unknown>,
): Promise<string> {
  for (let copy = 1; ; copy += 1) {
    const free = copy === 1 ? path : numbered(path, copy);
    try {
      await write(free);
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
