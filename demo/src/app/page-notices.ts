import type { McpClient } from '@inpage-mcp/client';
import { restoreDrafts } from '@inpage-mcp/elements/classes';
import { RuntimeError, type Runtime } from '@inpage-mcp/runtime';
import { lossInWords } from '../ui/words.js';
import { DRAFTS } from '../data/user-writes.js';
import type { Session } from '../session/session.js';
import type { NoticeStack } from '../ui/notice-stack.js';

/** Shows when the connection is lost, and when it is back. Calls `onChange` each time. */
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
 * Tells the user about changes of their data without their action: a part of it is lost, or a newer version
 * of the page has upgraded it.
 *
 * @param showData Opens the dialog in which an export is imported.
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
    // No other action helps, so the notice cannot be dismissed. Unsaved changes are kept for the time after
    // the reload.
    notices.stand('A newer version of this page is open in another tab. Reload to go on.', {
      actions: [{ words: 'Reload', run: () => location.reload() }],
      dismissible: false,
    });
  });
  // A part of the page that was to be loaded no longer exists, or the worker is from another deployment.
  const outdated = (): void => {
    notices.stand('This page has a newer version. Reload to go on.', {
      actions: [{ words: 'Reload', run: () => location.reload() }],
    });
  };
  window.addEventListener('mcp-outdated', outdated, { once: true });
}

/**
 * Offers an export to the user at the first error of missing space, because on a full disk the browser may
 * lose all data. Returns the function to call with each error.
 */
export function offerExportOnce(
  notices: () => NoticeStack,
  exportAll: () => void,
): (error: unknown) => void {
  let isOffered = false;
  return (error) => {
    if (isOffered || !(error instanceof RuntimeError) || error.code !== 'quota-exceeded') return;
    isOffered = true;
    const text = 'A browser without room may delete what it keeps. Export your data to be safe.';
    notices().stand(text, { actions: [{ words: 'Export', run: exportAll }] });
  };
}

/**
 * Saves the changes that an earlier page has kept, and tells the user about those that are not stored in
 * their own note.
 */
export function reportDrafts(runtime: Runtime, notices: NoticeStack): void {
  window.addEventListener('mcp-note-save', ({ isCopy, isRestored }) => {
    if (isRestored) notices.show('What you typed before the reload is saved.');
    else if (isCopy) notices.show('Your version was kept as a note of its own.');
  });
  window.addEventListener('mcp-note-lost', ({ error, isKept, isRestored }) => {
    // A page of an older version cannot save them, but the next start will.
    if ((error as { code?: unknown } | undefined)?.code === 'newer-version' && isKept) return;
    if (isRestored) notices.fail(error, 'What you typed before the reload is not saved yet');
    else notices.fail(error, 'The last changes of a note could not be saved');
  });
  restoreDrafts(DRAFTS, runtime.notes);
}

/** Shows when a part of the page that is loaded later could not be loaded. */
export function reportMissingParts(notices: NoticeStack): void {
  addEventListener('error', ({ message }) => {
    if (!/The element <.*> could not be loaded/.test(message)) return;
    notices.fail('A part of this page could not be loaded. Reload the page to try again.');
  });
}
