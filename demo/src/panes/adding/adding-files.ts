import type { Runtime } from '@inpage-mcp/runtime';
import { askBeforeLeaving } from '../editor/leaving.js';
import type { NoticeStack } from '../../shell/notices/notice-stack.js';
import { tellUploads, uploadNotice } from './upload-notices.js';
import { uploadAll } from './uploads.js';

/** Stores files, and says how far it is and what became of them. Never rejects. */
export async function storeFiles(
  runtime: Runtime,
  files: readonly File[],
  notices: NoticeStack,
): Promise<void> {
  const rest = new AbortController();
  const notice = uploadNotice(notices, files, rest);
  const stopAsking = askBeforeLeaving();
  const uploads = await uploadAll(runtime, files, notice.watch, rest.signal);
  stopAsking();
  notice.end();
  tellUploads(notices, uploads);
}
