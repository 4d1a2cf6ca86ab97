// What `npm test -- --chosen` runs, some 300 tests in less than two minutes: at each change in the
// browsers in which the whole is run now and then. Something of everything that browsers do otherwise:
// ports, frames, IndexedDB, Blobs of every size, words, drawing.
export const chosenFiles = [
  'test/client/mcp-client.test.ts',
  'test/client/subscriptions.test.ts',
  'test/elements/mcp-resource-list.test.ts',
  'test/elements/mcp-resource-view.test.ts',
  'test/runtime/page-cache.test.ts',
  'test/runtime/serve-frames.test.ts',
  'test/scenarios/back-forward-cache.test.ts',
  'test/scenarios/cross-origin-frame.test.ts',
  'test/server/note-tools.test.ts',
  'test/server/resources.test.ts',
  'test/server/subscriptions.test.ts',
  'test/store/file-store.test.ts',
  'test/store/large-files.test.ts',
  'test/store/note-search.test.ts',
  'test/store/note-store.test.ts',
  'test/store/transaction-turns.test.ts',
  'test/transport/accept-frames.test.ts',
  'test/transport/connect-to-window.test.ts',
];
