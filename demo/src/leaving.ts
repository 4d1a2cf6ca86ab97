/** Whether something would be lost; what is put aside for the next start survives our own reload. */
type WouldLose = (isOwnReload: boolean) => boolean;

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

function onLeaving(event: Event): void {
  // Each is asked: it may save at the last moment.
  const answers = Array.from(questions, (wouldLose) => wouldLose(isOwnReload));
  if (answers.includes(true)) event.preventDefault();
  // The user may say no, and leave in another way later.
  isOwnReload = false;
}
