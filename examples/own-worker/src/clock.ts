import type { ResourceChangeListener, ResourceProvider } from '@inpage-mcp/server';
import { onePage } from './one-page.js';

/** What time it is. */
export const CLOCK_URI = 'clock:///now';

const TICK_MS = 1_000;
const MEDIA_TYPE = 'text/plain';

const CLOCK = {
  uri: CLOCK_URI,
  name: 'now',
  title: 'Time',
  description: 'The time in this browser, in UTC. Told as changed every second.',
  mimeType: MEDIA_TYPE,
};

/** A live resource: it is updated every second, and costs nothing while nobody is connected. */
export function clock(): ResourceProvider {
  const listeners = new Set<ResourceChangeListener>();
  let timer: ReturnType<typeof setInterval> | undefined;

  const tick = (): void => {
    for (const listener of listeners) listener([{ uri: CLOCK_URI, listChanged: false }]);
  };

  return {
    name: 'clock',
    templates: [],
    list: async ({ after }) => onePage(CLOCK, after),
    async read(uri) {
      if (uri !== CLOCK_URI) return undefined;
      return [{ uri, mimeType: MEDIA_TYPE, text: new Date().toISOString() }];
    },
    // Each connection listens once, from its first message to its end; the server forwards a tick
    // only to those that subscribed to it.
    listen(listener) {
      listeners.add(listener);
      timer ??= setInterval(tick, TICK_MS);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}
