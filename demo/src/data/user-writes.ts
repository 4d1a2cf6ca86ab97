import type { FileTarget, NoteStorage } from '@inpage-mcp/elements/classes';
import { RuntimeError, type Runtime } from '@inpage-mcp/runtime';
import { reasonOf } from '../ui/words.js';

/** The name under which editors keep words that are not saved: see `<mcp-note-editor>`. */
export const DRAFTS = 'inpage-mcp-demo';

/** Where the elements of the page put what the user writes. */
export interface UserWrites {
  /** What is dropped while the server starts waits for it. */
  readonly files: FileTarget;
  readonly notes: NoteStorage;
}

/**
 * @param runtime Resolves with the runtime once the server has started.
 * @param onfailure Called with the error of each write that fails: for want of room it is more than one failure.
 */
export function userWrites(
  runtime: () => Promise<Runtime>,
  onfailure: (error: unknown) => void,
): UserWrites {
  const write = async <Written>(run: (of: Runtime) => Promise<Written>): Promise<Written> => {
    const started = await runtime();
    try {
      return await run(started);
    } catch (error) {
      onfailure(error);
      throw error;
    }
  };
  return {
    files: {
      write: (path, content, options) =>
        write(({ files }) => files.write(path, content, options)).catch((error: unknown) => {
          throw inWords(error);
        }),
    },
    notes: {
      get: async (id) => await (await runtime()).notes.get(id),
      update: (id, words, options) => write(({ notes }) => notes.update(id, words, options)),
      create: (note, options) => write(({ notes }) => notes.create(note, options)),
    },
  };
}

/** Where there is no room, how much is taken helps more than what failed. */
function inWords(error: unknown): unknown {
  return error instanceof RuntimeError && error.quota ? new Error(reasonOf(error)) : error;
}
