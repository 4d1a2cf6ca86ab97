import { RuntimeError, type Note, type Runtime } from '@inpage-mcp/runtime';

/** Of this tab, and until it is closed: a reload finds it again. */
const WORDS_KEY = 'inpage-mcp-demo-unsaved';

type Words = Pick<Note, 'id' | 'title' | 'text' | 'tags' | 'revision'>;

/** Keeps the words of a note that cannot be saved before a reload; false where there is no room. */
export function putAside({ id, title, text, tags, revision }: Words): boolean {
  try {
    const others = wordsAside().filter((words) => words.id !== id);
    const kept: Words[] = [...others, { id, title, text, tags, revision }];
    sessionStorage.setItem(WORDS_KEY, JSON.stringify(kept));
    return true;
  } catch {
    return false;
  }
}

/**
 * Saves what was put aside before the page was reloaded: in its note, or in one of its own where the
 * note has changed or is gone. What cannot be saved now stays aside.
 *
 * @returns How many notes that were.
 */
export async function bringBack(runtime: Runtime): Promise<number> {
  const aside = wordsAside();
  let saved = 0;
  try {
    for (const words of aside) {
      await save(runtime, words);
      saved += 1;
    }
  } finally {
    if (saved === aside.length) sessionStorage.removeItem(WORDS_KEY);
    else sessionStorage.setItem(WORDS_KEY, JSON.stringify(aside.slice(saved)));
  }
  return saved;
}

async function save({ notes }: Runtime, { id, revision, ...words }: Words): Promise<void> {
  try {
    await notes.update(id, { ...words, expectedRevision: revision });
  } catch (error) {
    const code = error instanceof RuntimeError ? error.code : undefined;
    if (code !== 'conflict' && code !== 'not-found') throw error;
    await notes.create({ ...words, title: `${words.title} (my version)` });
  }
}

function wordsAside(): Words[] {
  return JSON.parse(sessionStorage.getItem(WORDS_KEY) ?? '[]') as Words[];
}
