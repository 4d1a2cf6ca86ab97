import type { Runtime } from '@inpage-mcp/runtime';
import type { DraftOutcome, NoteDraft } from './note-draft.js';
import type { NoticeStack } from '../../shell/notices/notice-stack.js';
import { bringBackWords } from './unsaved-words.js';
import { truncateText } from '@inpage-mcp/elements/classes';

/** Says what became of words that are no longer, or not yet, where they were typed. */
export function tellOfDraft(notices: NoticeStack, outcome: DraftOutcome, draft: NoteDraft): void {
  switch (outcome) {
    case 'kept':
      notices.show('Your version was kept as a note of its own.');
      break;
    case 'lost':
      notices.fail('The last words of a note could not be saved.');
      break;
    case 'orphaned': {
      const title = truncateText(draft.note?.title || 'Untitled note', 80);
      notices.stand(
        `What you typed into “${title}” is not saved: everything has been deleted since.`,
        {
          actions: [{ words: 'Save as a new note', run: () => void draft.saveAsNew() }],
        },
      );
    }
  }
}

/** Tells what became of words that could not be saved before, by this tab or another. */
export function tellOfWordsBroughtBack(runtime: Runtime, notices: NoticeStack): void {
  bringBackWords(runtime, {
    onSaved: () => notices.show('What you typed before the reload is saved.'),
    onFailed: (error) => notices.fail(error, 'What you typed before the reload is not saved yet'),
    onUnreadable: () =>
      notices.fail('What this browser had kept of a note is damaged: it was left out.'),
  });
}
