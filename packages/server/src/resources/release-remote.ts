import { releaseProxy } from 'comlink';

/** Closes the port behind a function of the page; does nothing for any other function. */
export function releaseRemote(remote: unknown): void {
  try {
    (remote as { [releaseProxy]?: () => void } | undefined)?.[releaseProxy]?.();
  } catch {
    // The port was released before.
  }
}
