/** Whether something would be lost; what is put aside for the next start survives our own reload. */
type WouldLose = (isOwnReload: boolean) => boolean;

/** How long a reload waits for what is being saved, and how often it looks, in milliseconds. */
const MAX_WAIT_MS = 5_000;
const STEP_MS = 50;

const questions = new Set<WouldLose>();
let isOwnReload = false;

/**
 * Lets the browser ask before the page is left, for as long as something would be lost by it.
 *
 * @param wouldLose Asked when the page is about to be left. Default: always.
 * @returns What ends that.
 */
export function askBeforeLeaving(wouldLose: WouldLose = () => true): () => void {
  // A function of its own: the same one may be given twice.
  const question: WouldLose = (isOwn) => wouldLose(isOwn);
  questions.add(question);
  window.addEventListener('beforeunload', onLeaving);
  return () => {
    questions.delete(question);
    // A page that listens to it may be kept out of the browser's cache of pages.
    if (questions.size === 0) window.removeEventListener('beforeunload', onLeaving);
  };
}

/** Reloads the page without asking for what comes back after it. */
export function reload(): void {
  isOwnReload = true;
  location.reload();
}

/** The same, once nothing would be lost by it; the browser asks about what takes longer than a moment. */
export async function reloadWhenSaved(): Promise<void> {
  for (let waited = 0; waited < MAX_WAIT_MS && wouldLoseAnything(true); waited += STEP_MS)
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  reload();
}

/** Each is asked: it may save at the last moment. */
function wouldLoseAnything(isOwn: boolean): boolean {
  const answers = Array.from(questions, (wouldLose) => wouldLose(isOwn));
  return answers.includes(true);
}

function onLeaving(event: Event): void {
  if (wouldLoseAnything(isOwnReload)) event.preventDefault();
  // The user may say no, and leave in another way later.
  isOwnReload = false;
}
