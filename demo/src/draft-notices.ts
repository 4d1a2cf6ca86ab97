import type { DraftOutcome, NoteDraft } from './note-draft.js';
import type { NoticeStack } from './notice-stack.js';
import { shortened } from './upload-notices.js';

/** Says what became of words that are no longer, or not yet, where they were typed. */
export function tellOfDraft(notices: NoticeStack, outcome: DraftOutcome, draft: NoteDraft): void {
  switch (outcome) {
    case 'kept':
      notices.tell('Your version was kept as a note of its own.');
      break;
    case 'lost':
      notices.fail('The last words of a note could not be saved.');
      break;
    case 'orphaned': {
      const title = shortened(draft.note?.title || 'Untitled note');
      notices.stand(
        `What you typed into “${title}” is not saved: everything was deleted meanwhile.`,
        {
          actions: [{ words: 'Save as a new note', run: () => void draft.saveAsNew() }],
        },
      );
    }
  }
}
