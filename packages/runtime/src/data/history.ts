import type { StoreOperations } from '@inpage-mcp/server/control-plane';

/**
 * What guests have changed: frames, desktop apps and handed-out ports; and of the page's own connections
 * those with a `name`. The last 200 changes are kept, also over reloads, for all tabs; what undoes them up to
 * 8 MiB for one and 32 MiB for all. Calls reject with a `RuntimeError`.
 */
export type RuntimeHistory = StoreOperations['history'];
