import type { McpClient } from '@inpage-mcp/client';
import { lossInWords } from '../../data/storage-words.js';
import type { Session } from '../../session/session.js';
import type { NoticeStack } from './notice-stack.js';

/** Tells when the connection is lost, and when it is back. Calls `onChange` each time. */
export function tellOfConnection(
  client: McpClient,
  notices: NoticeStack,
  onChange: () => void,
): void {
  client.watchState((state) => {
    onChange();
    if (state === 'reconnecting') notices.show('The server has gone; connecting again …');
    if (state === 'open') notices.show('Connected again. Nothing that was saved is lost.');
  });
  void client.closed.then(() => {
    onChange();
    notices.fail('The connection has ended.');
  });
}

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
  // A part of the page that was to be loaded is gone, or the worker is from another deployment.
  const outdated = (): void => {
    notices.stand('This page has a newer version. Reload to go on.', {
      actions: [{ words: 'Reload', run: () => location.reload() }],
    });
  };
  window.addEventListener('mcp-outdated', outdated, { once: true });
}
