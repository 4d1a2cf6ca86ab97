import type { Runtime } from '@inpage-mcp/runtime';
import type { NoticeStack } from './notice-stack.js';
import { lossInWords } from './storage-words.js';

/**
 * Tells the user what happens to their data behind their back: that some of it is lost, and that a
 * newer version of the page has taken it over.
 *
 * @param showData Opens the place where an export is imported.
 */
export function tellOfStorage(runtime: Runtime, notices: NoticeStack, showData: () => void): void {
  runtime.addEventListener('storage-lost', ({ loss }) => {
    const actions = [{ words: 'Import an export …', run: showData }];
    notices.stand(lossInWords(loss), { actions });
  });
  runtime.addEventListener('newer-version', () => {
    // Nothing else helps, so it cannot be put away. Words that are not saved are kept for after the
    // reload, or else the browser asks before it leaves: see NoteDraft.
    notices.stand('A newer version of this page is open in another tab. Reload to go on.', {
      actions: [{ words: 'Reload', run: () => location.reload() }],
      dismissible: false,
    });
  });
}
