import { BUILD_ID } from './control/build-id.js';

/**
 * The first line of a worker reports that its script is loaded, so that the page can distinguish a slow
 * download from a worker that hangs, and so that it knows the build of the script. This file must be loaded
 * before everything else.
 */
if ('DedicatedWorkerGlobalScope' in globalThis) postMessage(`inpage-mcp: loaded ${BUILD_ID}`);
