import type { Runtime } from '@inpage-mcp/runtime';
import type { NoticeStack } from '../shell/notices/notice-stack.js';
import { keepOffline } from './keep-offline.js';
import { takeOpenedFiles } from './opened-files.js';
import { askAboutShares } from './shares.js';

/** Takes what other apps share and what the system opens, and a new version of the page itself. */
export function takeFromElsewhere(
  runtime: Runtime,
  notices: NoticeStack,
  addFiles: (files: readonly File[]) => Promise<void>,
): void {
  const onFailed = (error: unknown): void => notices.fail(error);
  takeOpenedFiles((files) => void addFiles(files), onFailed);
  askAboutShares(runtime, notices, addFiles).catch(onFailed);
  void keepOffline(notices);
}
