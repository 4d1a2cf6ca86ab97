import type { Runtime } from '@inpage-mcp/runtime';

/** The dialog of the browsers that have one; TypeScript does not know it. */
interface WithSavePicker {
  showSaveFilePicker?(options: {
    suggestedName: string;
    types: { description: string; accept: { [mediaType: string]: string[] } }[];
  }): Promise<FileSystemFileHandle>;
}

/** Where an export goes. */
export interface ExportTarget {
  /** Of the file, as the user knows it. */
  name: string;
  /** Whether the browser keeps it among its downloads. */
  isDownload: boolean;
  /** Resolves once all of it is there. Of a stream that fails, nothing is saved. */
  save(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void>;
}

/**
 * Asks where an export is to be saved; must be called while a click is handled. Where the browser can be
 * asked, it goes straight to the disk; else it is gathered first, and then downloaded.
 *
 * @returns undefined when the user changed their mind.
 */
export async function chooseTarget(name: string): Promise<ExportTarget | undefined> {
  const picker = window as WithSavePicker;
  if (!picker.showSaveFilePicker) return downloads(name);
  try {
    const type = name.endsWith('.age')
      ? { description: 'Encrypted zip', accept: { 'application/octet-stream': ['.age'] } }
      : { description: 'Zip', accept: { 'application/zip': ['.zip'] } };
    return onDisk(await picker.showSaveFilePicker({ suggestedName: name, types: [type] }));
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    // A frame, or a policy, may forbid the dialog.
    return downloads(name);
  }
}

/** A name with the day in it, as the user counts days, and that says whether it is encrypted. */
export function exportName(isEncrypted: boolean, now = new Date()): string {
  const [year, month, day] = [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  const date = [year, month, day].map((part) => String(part).padStart(2, '0')).join('-');
  return `in-page-mcp-${date}.zip${isEncrypted ? '.age' : ''}`;
}

function onDisk(handle: FileSystemFileHandle): ExportTarget {
  return {
    name: handle.name,
    isDownload: false,
    // What is there is replaced when the writer is closed, and not before.
    save: async (stream) => stream.pipeTo(await handle.createWritable()),
  };
}

function downloads(name: string): ExportTarget {
  return {
    name,
    isDownload: true,
    save: async (stream) => downloadBlob(await new Response(stream).blob(), name),
  };
}

/** How long the browser has to begin with what was handed to it, in milliseconds. */
const HAND_OVER_MS = 60_000;

/** Saves a file of the store to the user's disk, whatever its size. */
export async function downloadFile(runtime: Runtime, path: string): Promise<void> {
  const { blob } = await runtime.files.read(path);
  downloadBlob(blob, path.slice(path.lastIndexOf('/') + 1));
}

/** Hands bytes to the browser's downloads. */
function downloadBlob(blob: Blob, download: string): void {
  // Of no type: a document behind a blob: address would run as one of this page's.
  const href = URL.createObjectURL(blob.slice(0, blob.size, 'application/octet-stream'));
  Object.assign(document.createElement('a'), { href, download }).click();
  setTimeout(() => URL.revokeObjectURL(href), HAND_OVER_MS);
}
