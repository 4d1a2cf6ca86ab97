import { listenToFrames, type AcceptFramesOptions, type FrameAcceptor } from './frame-acceptor.js';
import type { FrameConnections } from './frame-connections.js';
import type { FrameSource } from './frame-gate.js';
import { callGuarded } from '../handover/guarded-call.js';
import {
  HANDOVER_VERSION,
  LOCK_PREFIX,
  readOffer,
  type Offer,
  type Refusal,
} from '../handover/handover-messages.js';
import { Heartbeat, HEARTBEAT_MS } from '../liveness/heartbeat.js';
import { LockWatch } from '../liveness/lock-watch.js';
import { SeenHellos } from './seen-hellos.js';
import { watchWindow } from '../handover/window-watch.js';

/**
 * Gives a port to each window that asks for one by `connectToParent` or `connectToFrame`, is of an
 * allowed origin, and is in this window or holds it (docs/wire.md, "Hand-over between windows").
 *
 * Call it before the frames are navigated, or later: they repeat what they ask until it is
 * answered. Several acceptors may listen on one window: a hello is answered by the first whose
 * origins allow it, and counts as a violation for those before.
 *
 * @param heartbeatMs How often both sides ping. For tests; the default notices a death in 15 seconds.
 * @throws {TypeError} for what is no origin, where nobody is allowed, for a limit that is none.
 */
export function acceptFrames(
  options: AcceptFramesOptions,
  heartbeatMs: number = HEARTBEAT_MS,
): FrameAcceptor {
  const hellos = new SeenHellos();
  return listenToFrames(options, (event, from, connections) => {
    const offer = readOffer(event);
    if (!offer) return;
    // Its ports can be used once: another acceptor of this window must not see them.
    event.stopImmediatePropagation();
    const note = hellos.note(from.source, offer.hello);
    if (note === 'reloaded') connections.closeAllOf(from.source);
    if (note === 'repeated') discard(offer);
    else answer(offer, from, { connections, heartbeatMs, onPort: options.onPort });
  });
}

interface Serving {
  connections: FrameConnections;
  heartbeatMs: number;
  onPort: AcceptFramesOptions['onPort'];
}

function answer(offer: Offer, from: FrameSource, serving: Serving): void {
  const refusal = refusalOf(offer, from, serving);
  if (refusal === undefined) open(offer, from, serving);
  else refuse(offer, refusal);
}

function refusalOf(
  { hello }: Offer,
  { source }: FrameSource,
  serving: Serving,
): Refusal | undefined {
  if (hello.version === HANDOVER_VERSION) return serving.connections.refusalOf(source);
  const reason = `Only version ${HANDOVER_VERSION} of the hand-over is known here.`;
  return { type: 'refused', reason };
}

function open({ hello, mcpPort, watchPort }: Offer, from: FrameSource, serving: Serving): void {
  const end = (): void => connection.close();
  const heartbeat = new Heartbeat(watchPort, from.source, serving.heartbeatMs, {
    dead: end,
    heard({ type }) {
      if (type === 'bye') end();
      else if (type === 'pausing') lock?.pause();
      else if (type === 'resumed') lock?.resume();
    },
  });
  const lock = namesLock(hello.lock, from) ? new LockWatch(hello.lock, end) : undefined;
  const stopWatching = watchWindow(from.source, end);
  const connection = serving.connections.add(from, () => {
    heartbeat.stop();
    lock?.stop();
    stopWatching();
  });
  if (callGuarded(() => serving.onPort(mcpPort, connection))) {
    heartbeat.say({ type: 'welcome', heartbeatMs: serving.heartbeatMs });
    return;
  }
  heartbeat.say({ type: 'busy', reason: 'The connection could not be served.' });
  connection.close();
}

/** Only a window of our own origin can hold a lock that is seen here. */
function namesLock(name: string | undefined, { origin }: FrameSource): name is string {
  return origin === window.origin && name !== undefined && name.startsWith(LOCK_PREFIX);
}

function refuse(offer: Offer, refusal: Refusal): void {
  offer.watchPort.postMessage(refusal);
  discard(offer);
}

function discard({ mcpPort, watchPort }: Offer): void {
  mcpPort.close();
  watchPort.close();
}
