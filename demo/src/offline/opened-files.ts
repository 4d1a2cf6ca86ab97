/** The files that the user has opened with the installed app; TypeScript does not know it. */
interface WithLaunchQueue {
  launchQueue?: {
    setConsumer(consume: (launch: { files?: readonly FileSystemFileHandle[] }) => void): void;
  };
}

/** Calls `add` with what the user opens with the app in the system, now and later. */
export function takeOpenedFiles(
  add: (files: readonly File[]) => void,
  onFailed: (error: unknown) => void,
): void {
  (window as WithLaunchQueue).launchQueue?.setConsumer(({ files = [] }) => {
    if (files.length === 0) return;
    Promise.all(files.map((handle) => handle.getFile())).then(add, onFailed);
  });
}
