import { fromEvent, type FileWithPath } from 'file-selector';
import type { FileToSave } from './file-target.js';

/**
 * The files of a drop, a paste or an `<input>`, folders with everything in them. To be called while
 * the event is dispatched.
 */
export async function filesOf(event: Event): Promise<FileToSave[]> {
  const found = await fromEvent(event);
  return found
    .filter((file): file is FileWithPath => file instanceof File)
    .map((file) => ({ path: pathOf(file), file }));
}

/** Whether a drag or a paste has files. */
export function hasFiles(transfer: DataTransfer | null): transfer is DataTransfer {
  return transfer?.types.includes('Files') === true;
}

function pathOf(file: File & Partial<FileWithPath>): string {
  return (file.path ?? file.webkitRelativePath).replace(/^\.?\//, '') || file.name;
}
