/** The page of `npm run conformance`: each connection gets a port of its own to one worker. */
const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });

/** Opens a connection. The caller starts the port. */
function connectMcp(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  worker.postMessage(undefined, [port2]);
  return port1;
}

Object.assign(globalThis, { connectMcp });
