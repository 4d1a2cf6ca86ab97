import { listenToFrames, type AcceptFramesOptions, type FrameAcceptor } from './frame-acceptor.js';
import type { FrameConnections } from './frame-connections.js';
import type { FrameSource } from './frame-gate.js';
import { callSafely } from '../port/call-safely.js';
import {
  HANDOVER_VERSION,
  LOCK_PREFIX,
  readOffer,
  type Offer,
  type Refusal,
} from '../handover/handover-messages.js';
import { Heartbeat, HEARTBEAT_MS } from '../liveness/heartbeat.js';
import type { WastedTime } from '../port/wasted-time.js';
import { LockWatch } from '../liveness/peer-lock-watch.js';
import { ReadBudgets } from './read-budgets.js';
import { NonceCache } from './nonce-cache.js';
import { watchWindow } from '../liveness/closed-window-watch.js';

/**
 * Opens a connection for each window that asks by `connectToParent` or `connectToFrame`, if its
 * origin is allowed and it contains this window or is inside it (docs/wire.md, "Hand-over between
 * windows").
 *
 * Call it before or after the frames are navigated: they repeat their hello until it is answered. A
 * window may have several acceptors. The first one whose origins allow a hello answers it; it counts
 * as a violation for those before.
 *
 * @param heartbeatMs The ping interval of both sides, for tests. The default notices a death in 15 s.
 * @throws {TypeError} for an invalid origin or limit, or if no window is allowed.
 */
export function acceptFrames(
  options: AcceptFramesOptions,
  heartbeatMs: number = HEARTBEAT_MS,
): FrameAcceptor {
  const nonces = new NonceCache();
  const budgets = new ReadBudgets();
  return listenToFrames(options, (event, from, connections) => {
    const offer = readOffer(event);
    if (!offer) return;
    // The ports can be used only once, so other acceptors of this window must not receive them.
    event.stopImmediatePropagation();
    const status = nonces.record(from.source, offer.hello);
    if (status === 'reloaded') connections.closeAllOf(from.source);
    if (status === 'repeated') discard(offer);
    else {
      const wasted = budgets.of(from);
      answer(offer, from, { connections, wasted, heartbeatMs, onPort: options.onPort });
    }
  });
}

interface Serving {
  connections: FrameConnections;
  wasted: WastedTime;
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
  const reason = `This window supports only version ${HANDOVER_VERSION} of the hand-over.`;
  return { type: 'refused', reason };
}

function open({ hello, mcpPort, watchPort }: Offer, from: FrameSource, serving: Serving): void {
  const end = (): void => connection.close();
  const { heartbeatMs, wasted } = serving;
  const heartbeat = new Heartbeat(watchPort, from.source, heartbeatMs, {
    wasted,
    onDead: end,
    onMessage({ type }) {
      if (type === 'bye') end();
      else if (type === 'pausing') lock?.pause();
      else if (type === 'resumed') lock?.resume();
    },
  });
  const lock = isVisibleLock(hello.lock, from) ? new LockWatch(hello.lock, end) : undefined;
  const stopWatching = watchWindow(from.source, end);
  const connection = serving.connections.add(from, () => {
    heartbeat.stop();
    lock?.stop();
    stopWatching();
  });
  if (callSafely(() => serving.onPort(mcpPort, connection))) {
    heartbeat.send({ type: 'welcome', heartbeatMs: serving.heartbeatMs });
    return;
  }
  heartbeat.send({ type: 'busy', reason: 'The page could not serve the connection.' });
  connection.close();
}

/** Whether this page can see a lock: locks are visible only within one origin. */
function isVisibleLock(name: string | undefined, { origin }: FrameSource): name is string {
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
