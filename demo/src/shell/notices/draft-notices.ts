import { restoreDrafts } from '@inpage-mcp/elements/classes';
import type { Runtime } from '@inpage-mcp/runtime';
import { DRAFTS } from '../../session/drafts.js';
import type { NoticeStack } from './notice-stack.js';

/** Saves what an earlier page has kept, and tells the user about words that are not where they were typed. */
export function reportDrafts(runtime: Runtime, notices: NoticeStack): void {
  window.addEventListener('mcp-note-save', ({ isCopy, isRestored }) => {
    if (isRestored) notices.show('What you typed before the reload is saved.');
    else if (isCopy) notices.show('Your version was kept as a note of its own.');
  });
  window.addEventListener('mcp-note-lost', ({ error, isKept, isRestored }) => {
    // A page of an older version cannot save them: the next start will.
    if ((error as { code?: unknown } | undefined)?.code === 'newer-version' && isKept) return;
    if (isRestored) notices.fail(error, 'What you typed before the reload is not saved yet');
    else notices.fail(error, 'The last words of a note could not be saved');
  });
  restoreDrafts(DRAFTS, runtime.notes);
}
