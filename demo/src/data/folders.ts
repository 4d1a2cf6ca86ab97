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

/**
 * Lets guests see a folder, if their access names it. Resolves with whether the folder is still open: another
 * one may have its address now.
 */
export async function openToGuests(runtime: Runtime, folder: MountedFolder): Promise<boolean> {
  const now = await folderAt(runtime, folder.uri);
  if (!now || !(await now.handle.isSameEntry(folder.handle))) return false;
  const { handle, name, write, guests } = now;
  if (!guests) await runtime.mountFolder(handle, { name, write, guests: true });
  return true;
}

/** Calls a listener with the address of each folder that is closed, also by another tab. */
export function onClosedFolder(runtime: Runtime, listener: (uri: string) => void): void {
  let known: readonly MountedFolder[] = [];
  const look = async (): Promise<void> => {
    const before = known;
    known = await runtime.folders();
    for (const { uri, handle } of before) {
      // Another tab may have closed it, and opened another one under the same name.
      const now = known.find((folder) => folder.uri === uri);
      if (!now || !(await now.handle.isSameEntry(handle))) listener(uri);
    }
  };
  // Those that are open already have had their event. The folders of an event are those of the worker, which
  // mounts them one after the other at its start.
  let turn = look().catch(() => undefined);
  runtime.addEventListener('folders', () => (turn = turn.then(look).catch(() => undefined)));
}
