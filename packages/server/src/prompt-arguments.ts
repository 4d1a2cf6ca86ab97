import { MAX_TAG_LENGTH, type StoreView } from '@inpage-mcp/store';
import { completable } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { completeImagePaths } from './file-completions.js';
import { completeNotes, completeTags } from './note-completions.js';
import { signalOf } from './template-completion.js';

/*
 * Arguments of prompts. Descriptions come before `completable`, which marks the schema itself:
 * what zod makes of a schema afterwards is another one, without the mark.
 */

/** A text that has to be there. */
export function textArgument(description: string) {
  return z.string().min(1, 'must not be empty').describe(description);
}

/**
 * A note, completed from the titles, and from the ids.
 *
 * @param other The argument of the same prompt whose note is left out.
 */
export function noteArgument(store: StoreView, description: string, other?: string) {
  return completable(textArgument(description), async (value, context) => {
    const chosen = context?.arguments ?? {};
    const named = other !== undefined && Object.hasOwn(chosen, other) ? chosen[other] : undefined;
    const signal = signalOf(context);
    return (await completeNotes(store, value, { other: named, signal })).asArray();
  });
}

/** A tag of notes, which may be left out: what a form leaves empty is left out, too. */
export function tagArgument(store: StoreView, description: string) {
  const tag = z.string().max(MAX_TAG_LENGTH, 'longer than any tag').describe(description);
  return completable(tag, (value, context) =>
    completeTags(store, value, signalOf(context)),
  ).optional();
}

/** An image file, completed from the paths. */
export function imageArgument(store: StoreView, description: string) {
  return completable(textArgument(description), async (value, context) =>
    (await completeImagePaths(store, value, signalOf(context))).asArray(),
  );
}
