/** The file picker of Chromium, in secure contexts. */
declare function showSaveFilePicker(options: {
  suggestedName: string;
}): Promise<FileSystemFileHandle>;

/** A name with the date of the user's time zone: `notes-2026-11-30.zip`. */
export function exportName(name: string, extension = '', now = new Date()): string {
  const [year, month, day] = [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  const date = [year, month, day].map((part) => String(part).padStart(2, '0')).join('-');
  return `${name}-${date}.zip${extension}`;
}

/**
 * Lets the user choose a file, which is written directly to its place on the disk, so that the browser needs
 * no space. Undefined if the browser cannot do that. Call it in a handler of a click.
 *
 * @throws {DOMException} `AbortError` if the user chose none.
 */
export async function chooseFile(suggestedName: string): Promise<WritableStream | undefined> {
  if (!('showSaveFilePicker' in window)) return undefined;
  return await (await showSaveFilePicker({ suggestedName })).createWritable();
}
