import type { NoticeStack } from './notice-stack.js';
import type { Session } from '../../session/session.js';
import { lossInWords } from '../../data/storage-words.js';

/**
 * Tells the user what happens to their data behind their back: that some of it is lost, and that a
 * newer version of the page has taken it over.
 *
 * @param showData Opens the place where an export is imported.
 */
export function tellOfStorage(
  { runtime }: Session,
  notices: NoticeStack,
  showData: () => void,
): void {
  runtime.addEventListener('storage-lost', ({ loss }) => {
    const actions = [{ words: 'Import an export …', run: showData }];
    notices.stand(lossInWords(loss), { actions });
  });
  runtime.addEventListener('newer-version', () => {
    // Nothing else helps, so it cannot be put away. Words that are not saved are kept for after the
    // reload.
    notices.stand('A newer version of this page is open in another tab. Reload to go on.', {
      actions: [{ words: 'Reload', run: () => location.reload() }],
      dismissible: false,
    });
  });
}
