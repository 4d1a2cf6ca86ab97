import type { Runtime } from '@inpage-mcp/runtime';
import type { NoticeStack } from '../shell/notice-stack.js';
import { keepOffline } from './keep-offline.js';
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

/** The files that the user has opened with the installed app; TypeScript does not know it. */
interface WithLaunchQueue {
  launchQueue?: {
    setConsumer(consume: (launch: { files?: readonly FileSystemFileHandle[] }) => void): void;
  };
}

/** Calls `add` with what the user opens with the app in the system, now and later. */
function takeOpenedFiles(
  add: (files: readonly File[]) => void,
  onFailed: (error: unknown) => void,
): void {
  (window as WithLaunchQueue).launchQueue?.setConsumer(({ files = [] }) => {
    if (files.length === 0) return;
    Promise.all(files.map((handle) => handle.getFile())).then(add, onFailed);
  });
}
