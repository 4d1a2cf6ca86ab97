import { startServer } from '@inpage-mcp/server';

/** The default worker, whose stores begin no new log, as in test/support/log-rotation.ts. */
if ('IDBVersionChangeEvent' in self)
  Reflect.deleteProperty(IDBVersionChangeEvent.prototype, 'dataLoss');

startServer();
