/**
 * A worker says with its first line that its script has arrived, so that its page can tell a slow
 * download from a worker that hangs. It has to be loaded before everything else.
 */
if ('DedicatedWorkerGlobalScope' in globalThis) postMessage('inpage-mcp: loaded');
