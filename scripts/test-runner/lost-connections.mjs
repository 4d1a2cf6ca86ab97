// Says how the connection of a test page to the runner ended where the page did not end it: the runner
// itself says then that the page went elsewhere, whatever has happened.

/** How a page ends it that is left or closed. */
const GOING_AWAY = 1001;

/**
 * The plugin for @web/test-runner.
 * @returns {import('@web/test-runner').TestRunnerPlugin}
 */
export function lostConnections() {
  return {
    name: 'lost-connections',
    serverStart({ webSockets }) {
      webSockets?.webSocketServer.on('connection', (webSocket, { headers }) => {
        webSocket.on('close', (code, reason) => {
          if (code === GOING_AWAY) return;
          console.error(`\nThe connection of ${headers.origin} ended: ${code} ${reason}`);
        });
      });
    },
  };
}
