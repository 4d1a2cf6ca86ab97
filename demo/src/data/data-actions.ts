import { RuntimeError } from '@inpage-mcp/runtime';
import { decrypt, encrypt } from './encryption/age.js';
import type { ActionContext, Outcome } from './action-runner.js';
import type { ExportTarget } from './export-target.js';
import { importInWords, skippedInWords } from './storage-words.js';
import { restoreSamples } from './sample-notes.js';

/** The result of an action, without its name. */
type Result = Omit<Outcome, 'action'>;

/** Asks the browser to keep the data. */
export async function keepData({ storage }: ActionContext): Promise<Result> {
  const { persisted, meaning } = await storage.persist();
  return { words: persisted ? meaning : `Not yet. ${meaning} You can ask again later.` };
}

/** @param passphrase '' for an export that is not encrypted. */
export async function exportTo(
  target: ExportTarget,
  passphrase: string,
  { storage, onProgress, signal }: ActionContext,
): Promise<Result> {
  const zip = await storage.exportZip({ onProgress, signal });
  await target.save(passphrase ? encrypt(zip, passphrase) : zip);
  const { isDownload, name } = target;
  return { words: isDownload ? `It is in your downloads: ${name}` : 'It is saved.' };
}

/** What is brought in. */
export interface ImportSource {
  file: Blob;
  /** Absent for a file that is not encrypted. */
  passphrase?: string;
  /** Whether the user has said that it may take much room. */
  mayBeLarge?: boolean;
}

/** The result is `large` if nothing was brought in, and the user has to be asked about its size. */
export async function importFrom(
  { file, passphrase, mayBeLarge }: ImportSource,
  context: ActionContext,
): Promise<Result> {
  const { storage, onProgress, signal } = context;
  const zip = passphrase === undefined ? file : await decrypt(file, passphrase, context);
  const maxBytes = mayBeLarge ? Infinity : undefined;
  try {
    const report = await storage.importZip(zip, { onProgress, signal, maxBytes });
    return { words: importInWords(report), lines: skippedInWords(report) };
  } catch (error) {
    if (!(error instanceof RuntimeError) || error.code !== 'too-large') throw error;
    return { words: error.message, large: zip };
  }
}

/** Writes the sample notes that are not there any more. */
export async function restoreSampleNotes({ runtime }: ActionContext): Promise<Result> {
  const count = await restoreSamples(runtime);
  return { words: count === 0 ? 'They are all there.' : `Restored ${count}.` };
}
