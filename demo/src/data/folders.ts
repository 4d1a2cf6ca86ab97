import type { MountedFolder, Runtime } from '@inpage-mcp/runtime';

/** The picker of folders, which the library types do not have. */
interface FolderPicker {
  showDirectoryPicker(): Promise<FileSystemDirectoryHandle>;
}

/** Whether the browser lets pages open folders of the disk: `canMountFolders`, before the runtime exists. */
export const canOpenFolders = 'showDirectoryPicker' in globalThis;

/** Asks the user for a folder of the disk, and serves it; `undefined` if they choose none. */
export async function openFolder(runtime: Runtime): Promise<MountedFolder | undefined> {
  const { showDirectoryPicker } = globalThis as unknown as FolderPicker;
  const handle = await showDirectoryPicker().catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    throw error;
  });
  return handle && (await runtime.mountFolder(handle));
}

/** The mounted folder with an address; `undefined` if it does not exist. */
export async function folderAt(runtime: Runtime, uri: string): Promise<MountedFolder | undefined> {
  return (await runtime.folders()).find((folder) => folder.uri === uri);
}

/** Lets guests see a folder, if their access names it. */
export async function openToGuests(runtime: Runtime, uri: string): Promise<void> {
  const { handle, name, write, guests } = (await folderAt(runtime, uri)) ?? {};
  if (handle && !guests) await runtime.mountFolder(handle, { name, write, guests: true });
}
