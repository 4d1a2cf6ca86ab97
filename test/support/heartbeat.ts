// Internal to the package.
import { HEARTBEAT_MS } from '../../packages/transport/src/liveness/heartbeat.js';

/**
 * Lets no heartbeat of this page beat during the tests of the suite that calls this: an end that they wait for
 * is one that an event has reported, and no silence.
 */
export function useNoHeartbeat(): void {
  const { setInterval } = window;

  before(() => {
    window.setInterval = ((run: () => void, everyMs: number) =>
      everyMs === HEARTBEAT_MS ? 0 : setInterval(run, everyMs)) as typeof setInterval;
  });

  after(() => {
    window.setInterval = setInterval;
  });
}
