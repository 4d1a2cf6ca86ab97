import type { StoreOperations } from '@inpage-mcp/server/control-plane';

/**
 * The changes that guests have made: frames, desktop apps and ports that the page has handed out. Of the
 * page's own connections, the history has the changes of those with a `name`. The last 200 changes are kept
 * for all tabs, also after a reload; the data to undo them is limited to 8 MiB for one change and 32 MiB for
 * all. Calls reject with a `RuntimeError`.
 */
export type RuntimeHistory = StoreOperations['history'];
