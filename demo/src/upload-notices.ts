import type { NoticeStack } from './notice-stack.js';
import type { Upload, UploadWatch, WatchUpload } from './uploads.js';

/** Files of less are stored before anybody could read how far they are, in bytes. */
const WATCHED_BYTES = 4 * 2 ** 20;

/** Shows the files that take their time, each with a way to stop it, or all that are left. */
export function uploadNotices(
  notices: NoticeStack,
  files: readonly File[],
  rest: AbortController,
): WatchUpload {
  return (file, number): UploadWatch | undefined => {
    if (file.size < WATCHED_BYTES) return undefined;
    const one = new AbortController();
    const isLast = number === files.length;
    const which = files.length > 1 ? ` (${number} of ${files.length})` : '';
    const cancel = { words: 'Cancel', run: () => rest.abort() };
    const skip = { words: 'Skip this one', run: () => one.abort() };
    const actions = isLast ? [cancel] : [skip, cancel];
    const notice = notices.follow(`Adding “${shortened(file.name)}”${which}`, actions);
    notice.update(0, file.size);
    return {
      signal: one.signal,
      onProgress: (done, total) => notice.update(done, total),
      end: () => notice.end(),
    };
  };
}

/** Says what became of files. */
export function tellUploads(notices: NoticeStack, uploads: readonly Upload[]): void {
  const failed = uploads.filter((upload) => 'error' in upload);
  const [first] = failed;
  if (first) {
    const others = failed.length > 1 ? ` and ${failed.length - 1} more were` : ' was';
    notices.fail(first.error, `“${shortened(first.name)}”${others} not added`);
  }
  const added = uploads.filter((upload) => 'path' in upload);
  const left = uploads.filter((upload) => 'left' in upload).length;
  const [only] = added;
  const leftOut = left > 0 ? ` ${left === 1 ? 'One was' : `${left} were`} left out.` : '';
  if (added.length === 1 && only) notices.tell(`Added “${shortened(only.path)}”.${leftOut}`);
  else if (added.length > 1) notices.tell(`Added ${added.length} files.${leftOut}`);
  else if (left > 0) notices.tell('Cancelled: nothing of it was kept.');
}

/** A name short enough for a sentence, cut between characters as people see them. */
export function shortened(name: string): string {
  const characters = Array.from(new Intl.Segmenter().segment(name), ({ segment }) => segment);
  if (characters.length <= 80) return name;
  return `${characters.slice(0, 60).join('')}…${characters.slice(-15).join('')}`;
}
