// The runtime for apps that always pass a worker. This module does not name the file of the default worker,
// so no bundler emits it.
export { startWithWorker as startRuntime } from './start-with-worker.js';
export { RuntimeError, type RuntimeErrorCode } from './worker/runtime-error.js';
export type { OwnWorkerOptions, Runtime } from './runtime-types.js';
