import type { Runtime } from '@inpage-mcp/runtime';
import { seedTitles } from '../session/seed-notes.js';
import type { Choice } from './readable.js';

/** How many of the newest notes the user may choose one by one. */
const MAX_CHOICES = 30;

/** The notes that the user may give to a client, the newest first. */
export async function choicesOf(runtime: Runtime): Promise<Choice[]> {
  const { notes } = await runtime.notes.list({ limit: MAX_CHOICES });
  return notes.map(({ id, title }) => ({
    uri: `note:///${id}`,
    title: title || 'Untitled note',
    // Those of the user are not given away by a click too many.
    isSuggested: seedTitles.includes(title),
  }));
}
