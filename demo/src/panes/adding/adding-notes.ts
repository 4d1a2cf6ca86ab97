import type { Runtime } from '@inpage-mcp/runtime';
import type { NoticeStack } from '../../shell/notices/notice-stack.js';
import type { Opened } from '../preview-pane.js';

/** Writes an empty note, to be edited; undefined where that failed, which is said. Never rejects. */
export async function createNote(
  { notes }: Runtime,
  notices: NoticeStack,
): Promise<Opened | undefined> {
  try {
    const { id, title } = await notes.create({ title: 'New note', text: '' });
    return { uri: `note:///${id}`, title, mimeType: 'text/markdown', edit: true };
  } catch (error) {
    notices.fail(error, 'The note was not created');
    return undefined;
  }
}
