/** The worker of `npm run conformance`: serves every port that the page sends. */
import { fixtureServer } from './fixture-server.js';

const server = fixtureServer();

globalThis.addEventListener('message', ({ ports }: MessageEvent) => {
  for (const port of ports) server.serve(port);
});
