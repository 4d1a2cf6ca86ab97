import type { NoticeStack } from '../../shell/notices/notice-stack.js';
import type { Upload, UploadWatch, WatchUpload } from './uploads.js';

/** Less than this, in bytes or in files, is stored before anybody could read how far it is. */
const WATCHED_BYTES = 4 * 2 ** 20;
const WATCHED_FILES = 20;

/** How often the notice of many small files changes, in milliseconds. */
const NOTICE_INTERVAL_MS = 100;

/** Shows how far files are that are added together, while that takes its time. */
export interface UploadNotice {
  watch: WatchUpload;
  end(): void;
}

/**
 * Shows one line for all of them, with a way to stop everything, or to leave out the large one that is
 * on its way.
 *
 * @param rest Aborted to leave out what is not stored yet.
 */
export function uploadNotice(
  notices: NoticeStack,
  files: readonly File[],
  rest: AbortController,
): UploadNotice {
  const total = files.reduce((sum, { size }) => sum + size, 0);
  if (total < WATCHED_BYTES && files.length < WATCHED_FILES) {
    return { watch: () => undefined, end: () => undefined };
  }
  const isLarge = ({ size }: File): boolean => size >= WATCHED_BYTES;
  let one = new AbortController();
  const cancel = { words: 'Cancel', run: () => rest.abort() };
  const skip = { words: 'Skip this one', run: () => one.abort() };
  const notice = notices.follow(
    'Adding files',
    files.length > 1 && files.some(isLarge) ? [skip, cancel] : [cancel],
  );
  let doneBefore = 0;
  let shownAt = -NOTICE_INTERVAL_MS;
  const show = (file: File, number: number, done: number): void => {
    const now = performance.now();
    const isNew = done === 0 && isLarge(file);
    if (!isNew && now - shownAt < NOTICE_INTERVAL_MS) return;
    shownAt = now;
    const which = files.length > 1 ? ` (${number} of ${files.length})` : '';
    notice.update(doneBefore + done, total, `Adding “${shortened(file.name)}”${which}`);
  };
  return {
    watch(file, number): UploadWatch {
      one = new AbortController();
      show(file, number, 0);
      return {
        signal: one.signal,
        onProgress: (done) => show(file, number, done),
        end: () => (doneBefore += file.size),
      };
    },
    end: () => notice.end(),
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
  if (added.length === 1 && only) notices.show(`Added “${shortened(only.path)}”.${leftOut}`);
  else if (added.length > 1) notices.show(`Added ${added.length} files.${leftOut}`);
  else if (left > 0) notices.show('Cancelled: nothing of it was kept.');
}

/** A name short enough for a sentence, cut between characters as people see them. */
export function shortened(name: string): string {
  const characters = Array.from(new Intl.Segmenter().segment(name), ({ segment }) => segment);
  if (characters.length <= 80) return name;
  return `${characters.slice(0, 60).join('')}…${characters.slice(-15).join('')}`;
}
