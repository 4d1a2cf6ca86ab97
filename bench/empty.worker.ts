/** A worker that only says that it runs. */
postMessage('running');
