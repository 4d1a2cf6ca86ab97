import type { FileTarget, NoteStorage } from '@inpage-mcp/elements/classes';
import { RuntimeError, type Runtime } from '@inpage-mcp/runtime';
import { reasonOf } from '../ui/words.js';

/** The name under which editors keep unsaved changes: see `<mcp-note-editor>`. */
export const DRAFTS = 'inpage-mcp-demo';

/** The targets to which the elements of the page write for the user. */
export interface UserWrites {
  /** The target of files. Files that are dropped during the start of the server wait for it. */
  readonly files: FileTarget;
  readonly notes: NoteStorage;
}

/**
 * @param runtime Resolves with the runtime once the server has started.
 * @param onfailure Called with the error of each write that fails, because an error of missing space concerns
 *   more than one write.
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

/**
 * An error for the user. If there is not enough space, the used space is more helpful than the failed
 * operation.
 */
function inWords(error: unknown): unknown {
  return error instanceof RuntimeError && error.quota ? new Error(reasonOf(error)) : error;
}
