import { decrypt, encrypt } from './encryption/age.js';
import type { Given, Outcome } from './deeds.js';
import type { ExportTarget } from './export-target.js';
import { importInWords, skippedInWords } from './import-words.js';
import { restoreSamples } from './seed-notes.js';

/** What became of a deed; which one it was is known. */
type Result = Omit<Outcome, 'deed'>;

/** Asks the browser to keep the data. */
export async function keepData({ storage }: Given): Promise<Result> {
  const { persisted, meaning } = await storage.persist();
  return { words: persisted ? meaning : `Not yet. ${meaning} You can ask again later.` };
}

/** @param passphrase '' for an export that is not encrypted. */
export async function exportTo(
  target: ExportTarget,
  passphrase: string,
  { storage, onProgress, signal }: Given,
): Promise<Result> {
  const zip = await storage.exportZip({ onProgress, signal });
  await target.save(passphrase ? encrypt(zip, passphrase) : zip);
  const { isDownload, name } = target;
  return { words: isDownload ? `It is in your downloads: ${name}` : 'It is saved.' };
}

/** @param passphrase undefined for a file that is not encrypted. */
export async function importFrom(
  file: Blob,
  passphrase: string | undefined,
  given: Given,
): Promise<Result> {
  const { storage, onProgress, signal } = given;
  const zip = passphrase === undefined ? file : await decrypt(file, passphrase, given);
  const report = await storage.importZip(zip, { onProgress, signal });
  return { words: importInWords(report), lines: skippedInWords(report) };
}

/** Writes the sample notes that are not there any more. */
export async function restoreSampleNotes({ runtime }: Given): Promise<Result> {
  const count = await restoreSamples(runtime);
  return { words: count === 0 ? 'They are all there.' : `Restored ${count}.` };
}
