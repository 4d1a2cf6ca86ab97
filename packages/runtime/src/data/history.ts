import type { ListedChange } from '@inpage-mcp/server/control-plane';
import { loadModule } from '../worker/load-module.js';
import { operationsOf, type RuntimeFiles, type RuntimeNotes } from './runtime-data.js';
import type { WorkerSupervisor } from '../supervision/worker-supervisor.js';

/**
 * What guests have changed: frames, desktop apps and handed-out ports; and of the page's own connections
 * those with a `name`. The last 200 changes are kept, also over reloads, for all tabs.
 */
export interface RuntimeHistory {
  /** The changes that are kept, the newest first. */
  list(): Promise<ListedChange[]>;
  /**
   * Undoes a change, as a write of the page's own: what others have written since stays.
   *
   * @param number The `number` of the change, as in the list or in `inpage:///activity`.
   * @throws {RuntimeError} `conflict` if the same place was changed since, the entry is gone, or it exists
   *   again; then nothing is written. `not-found` if the change was undone, or what undoes it is not kept:
   *   above 8 MiB, of the oldest above 32 MiB in all, and for files in pieces.
   */
  revert(number: number): Promise<void>;
}

/** The history, on the current worker. */
export function historyOf(
  supervisor: WorkerSupervisor,
  data: { notes: RuntimeNotes; files: RuntimeFiles },
): RuntimeHistory {
  const { list, read, settle } = operationsOf(supervisor, 'history', {
    list: 0,
    read: 1,
    settle: 1,
  });
  return {
    list,
    async revert(number) {
      const { revertChange } = await loadModule(() => import('./revert-change.js'));
      await revertChange(await read(number), data);
      await settle(number);
    },
  };
}
