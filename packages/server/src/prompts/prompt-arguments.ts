import type { PromptArgument } from '@inpage-mcp/protocol';
import { MAX_TAG_LENGTH } from '@inpage-mcp/store';
import type { Connection } from '../access/connection.js';
import { completeImagePaths } from '../resources/files/file-completions.js';
import { completeNotes, completeTags } from '../resources/notes/note-completions.js';

/** An argument that has to be there. */
type Required = PromptArgument<Connection> & { required: true };

/** A text that has to be there. */
export function textArgument(description: string): Required {
  return { description, required: true, minLength: 1 };
}

/**
 * A note, completed from the titles, and from the ids.
 *
 * @param other The argument of the same prompt whose note is left out.
 */
export function noteArgument(description: string, other?: string): Required {
  return {
    ...textArgument(description),
    complete(typed, chosen, { context: { store }, signal }) {
      const named = other !== undefined && Object.hasOwn(chosen, other) ? chosen[other] : undefined;
      return completeNotes(store, typed, { other: named, signal });
    },
  };
}

/** A tag of notes, which may be left out. */
export function tagArgument(description: string): PromptArgument<Connection> {
  return {
    description,
    maxLength: MAX_TAG_LENGTH,
    complete: (typed, _chosen, { context, signal }) => completeTags(context.store, typed, signal),
  };
}

/** An image file, completed from the paths. */
export function imageArgument(description: string): Required {
  return {
    ...textArgument(description),
    complete: (typed, _chosen, { context, signal }) =>
      completeImagePaths(context.store, typed, signal),
  };
}
