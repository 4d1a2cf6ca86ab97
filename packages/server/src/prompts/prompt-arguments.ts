import type { PromptArgument } from '@inpage-mcp/protocol';
import { MAX_TAG_LENGTH } from '@inpage-mcp/store';
import type { Connection } from '../access/connection-context.js';
import { completeImagePaths } from '../resources/files/file-completions.js';
import { completeNotes, completeTags } from '../resources/notes/note-completions.js';

/** A required argument. */
type Required = PromptArgument<Connection> & { required: true };

/** A required text. */
export function textArgument(description: string): Required {
  return { description, required: true, minLength: 1 };
}

/**
 * A note, completed from the titles and ids.
 *
 * @param other Another argument of the prompt, whose note is not offered.
 */
export function noteArgument(description: string, other?: string): Required {
  return {
    ...textArgument(description),
    complete(typed, chosen, { context: { store }, signal }) {
      const name = other !== undefined && Object.hasOwn(chosen, other) ? chosen[other] : undefined;
      return completeNotes(store, typed, signal, name);
    },
  };
}

/** An optional tag of notes. */
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
