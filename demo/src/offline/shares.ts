import {
  truncateText,
  type McpFileDrop,
  type McpFilesSaveEvent,
} from '@inpage-mcp/elements/classes';
import { type Runtime, RuntimeError } from '@inpage-mcp/runtime';
import { exclusively } from '../browser/exclusively.js';
import type { NoticeStack } from '../ui/notice-stack.js';
import { sharesCache } from './names.js';

/** The maximum length of the beginning of a text that becomes a title, in UTF-16 code units. */
const MAX_TITLE_LENGTH = 200;

/** A share that another app, or any page on the web, has sent here. */
interface Share {
  /** The note; absent if the share has only files. */
  note: { title: string; text: string } | undefined;
  files: readonly File[];
}

/**
 * Asks about each share that waits for an answer. Nothing is written before the user has said yes, because
 * any page on the web can share, even if the user has only visited it.
 *
 * @param drop Stores the files, and shows the result.
 */
export async function askAboutShares(
  runtime: Runtime,
  notices: NoticeStack,
  drop: McpFileDrop,
): Promise<void> {
  // If the browser forbids caches, it has no service worker that could have stored a share.
  const isThere = await globalThis.caches?.has(nameOfCache()).catch(() => false);
  if (!isThere) return;
  const cache = await caches.open(nameOfCache());
  for (const key of await cache.keys()) {
    const share = await readShare(await cache.match(key));
    if (!share) {
      await cache.delete(key);
      notices.fail('What was shared with this page is too large, or damaged: it was left out.');
      continue;
    }
    const add = async (): Promise<void> => {
      const isMine = await exclusively(key.url, async () => {
        // Two tabs may ask about the same share.
        if (!(await cache.match(key))) return false;
        let refusal: unknown;
        if (share.note)
          try {
            // A tab that ends in between may have created it already.
            await runtime.notes.create(share.note, {
              idempotencyKey: `share ${key.url.split('/').at(-1)}`,
            });
            notices.show(`Added “${truncateText(share.note.title, 80)}”.`);
          } catch (error) {
            // It would be refused again; the files are not refused with it.
            if (!(error instanceof RuntimeError) || error.code !== 'invalid-argument') throw error;
            refusal = error;
          }
        const failed = await addFiles(drop, share.files);
        // This is done last, so that a share which a tab had begun to store when it ended is asked about
        // again. So are the files that failed, unless the user tries again now.
        if (failed.length > 0) {
          await cache.put(key, new Response(formOf(failed)));
          void whenSaved(drop, failed).then(() => cache.delete(key));
        } else await cache.delete(key);
        if (refusal) throw refusal as Error;
        return true;
      });
      if (!isMine) notices.show('That was answered in another tab.');
    };
    const report = (error: unknown): void => notices.fail(error, 'The share was not added');
    notices.stand(`Add ${inWords(share)}? It was shared by another app or page.`, {
      actions: [
        { words: 'Add', run: () => void add().catch(report) },
        { words: 'Discard', run: () => void cache.delete(key) },
      ],
      dismissible: true,
    });
  }
}

/** Deletes the shares that wait for an answer, because the user no longer wants them. */
export async function forgetShares(): Promise<void> {
  await globalThis.caches?.delete(nameOfCache()).catch(() => false);
}

const nameOfCache = (): string => sharesCache(new URL('./', document.baseURI).href);

async function readShare(response: Response | undefined): Promise<Share | undefined> {
  const form = await response?.formData().catch(() => undefined);
  if (!form) return undefined;
  const [title = '', text = '', url = ''] = ['title', 'text', 'url'].map((name) =>
    textOf(form.get(name)),
  );
  // A title may have any length; a long one becomes text.
  const isLong = title.length > MAX_TITLE_LENGTH;
  const words = [isLong && title, text, url].filter(Boolean).join('\n\n');
  const files = form.getAll('files').filter((entry) => entry instanceof File);
  const note = title || words ? { title: titleOf(title || words), text: words } : undefined;
  // A form without a chosen file has a file without a name.
  const chosen = files.filter(({ name, size }) => name !== '' || size > 0);
  if (!note && chosen.length === 0) return undefined;
  return { note, files: chosen.map(withoutFolders) };
}

/** Stores files. Resolves with those that failed. */
async function addFiles(drop: McpFileDrop, files: readonly File[]): Promise<readonly File[]> {
  const failed = new Set<File>();
  const note = (event: McpFilesSaveEvent): void => {
    for (const { file } of event.failed) failed.add(file);
  };
  drop.addEventListener('mcp-files-save', note);
  await drop.add(files);
  drop.removeEventListener('mcp-files-save', note);
  return files.filter((file) => failed.has(file));
}

/** Resolves when all files that had failed are saved. */
async function whenSaved(drop: McpFileDrop, files: readonly File[]): Promise<void> {
  const left = new Set(files.map(({ name }) => name));
  await new Promise<void>((resolve) => {
    const note = (event: McpFilesSaveEvent): void => {
      for (const path of event.saved) left.delete(path);
      if (left.size > 0) return;
      drop.removeEventListener('mcp-files-save', note);
      resolve();
    };
    drop.addEventListener('mcp-files-save', note);
  });
}

function formOf(files: readonly File[]): FormData {
  const form = new FormData();
  for (const file of files) form.append('files', file);
  return form;
}

/** The text of an entry. A form ends lines with CR and LF. */
const textOf = (entry: FormDataEntryValue | null): string =>
  typeof entry === 'string' ? entry.replaceAll('\r\n', '\n').trim() : '';

const titleOf = (words: string): string => words.split('\n', 1)[0]!.slice(0, MAX_TITLE_LENGTH);

/** A file without folders in its name. A sender may give any name, but must not choose the folder. */
function withoutFolders(file: File): File {
  const name = file.name.split(/[/\\]/).pop() || 'shared';
  return new File([file], name, { type: file.type });
}

function inWords({ note, files }: Share): string {
  const [first] = files;
  const others = files.length > 1 ? ` and ${files.length - 1} more` : '';
  const parts = [
    note && `the note “${truncateText(note.title, 80)}”`,
    first && `the file “${truncateText(first.name, 80)}”${others}`,
  ];
  return parts.filter(Boolean).join(' and ');
}
