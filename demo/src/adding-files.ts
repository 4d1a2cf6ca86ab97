import type { Runtime } from '@inpage-mcp/runtime';
import { askBeforeLeaving } from './leaving.js';
import type { NoticeStack } from './notice-stack.js';
import { tellUploads, uploadNotice } from './upload-notices.js';
import { filesOf, uploadAll } from './uploads.js';

/** Stores the files of a drop, a paste or an `<input>`, and says how far it is and what became of them. */
export async function addFiles(
  runtime: Runtime,
  event: Event,
  notices: NoticeStack,
): Promise<void> {
  const files = await filesOf(event);
  const rest = new AbortController();
  const notice = uploadNotice(notices, files, rest);
  const stopAsking = askBeforeLeaving();
  const uploads = await uploadAll(runtime, files, notice.watch, rest.signal);
  stopAsking();
  notice.end();
  tellUploads(notices, uploads);
}
