import type { Runtime } from '@inpage-mcp/runtime';
import { pathOf } from './addresses.js';
import { copyText } from '../session/clipboard.js';
import { downloadFile } from '../data/export-target.js';
import type { NoticeStack } from '../shell/notice-stack.js';
import type { Opened } from '../panes/preview-pane.js';
import { truncateText } from '@inpage-mcp/elements/classes';

/** Copies the address of what is open, and says so. Never rejects. */
export async function copyAddress(
  { uri }: Opened,
  _: Runtime,
  notices: NoticeStack,
): Promise<void> {
  try {
    await copyText(uri);
    notices.show('Copied the address.');
  } catch (error) {
    notices.fail(error, `The address ${truncateText(uri, 80)} was not copied`);
  }
}

/** Hands the file that is open to the browser. Never rejects. */
export async function downloadOpened(
  { uri, title }: Opened,
  runtime: Runtime,
  notices: NoticeStack,
): Promise<void> {
  const path = pathOf(uri);
  if (path === undefined) return;
  try {
    await downloadFile(runtime, path);
  } catch (error) {
    notices.fail(error, `“${truncateText(title, 80)}” was not downloaded`);
  }
}
