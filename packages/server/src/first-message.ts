/**
 * The first line of a worker reports that its script is loaded, so that the page can distinguish a
 * slow download from a worker that hangs. This file must be loaded before everything else.
 */
if ('DedicatedWorkerGlobalScope' in globalThis) postMessage('inpage-mcp: loaded');
