import type { Control } from '@inpage-mcp/server/control-plane';
import type { ProxyMarked } from 'comlink';

/** A call, of the worker or of what it was given by reference. */
interface Call {
  id: unknown;
  type: 'APPLY' | 'RELEASE';
  /** The name of the method; empty for a function. */
  path: string[];
  argumentList: WireValue[];
}

/** An argument, or the result of a call. */
type WireValue =
  | { type: 'RAW'; value?: unknown }
  | { type: 'HANDLER'; name: 'proxy'; value: MessagePort }
  | { type: 'HANDLER'; name: 'throw'; value: { isError: boolean; value: unknown } };

const byReference = new WeakSet<object>();

/** Has the worker call a function, or the methods of an object, instead of getting a copy of it. */
export function proxy<Target extends object>(target: Target): Target & ProxyMarked {
  byReference.add(target);
  return target as Target & ProxyMarked;
}

/**
 * The control plane of a worker. A port among the arguments is transferred.
 *
 * comlink is at the other end, and these are its messages. The page speaks the few that there are by
 * itself: all of comlink weighs four times as much, and has each of its proxies finalized, which throws
 * a page out of the back/forward cache where it happens there.
 */
export function controlOf(worker: Worker): Control {
  const waiting = new Map<unknown, (answer: WireValue) => void>();
  let lastId = 0;
  worker.addEventListener('message', ({ data }: MessageEvent<WireValue & { id?: unknown }>) => {
    // A worker of the app's own may have other messages.
    const id = data?.id;
    waiting.get(id)?.(data);
    waiting.delete(id);
  });
  const call = (method: string, args: unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      lastId += 1;
      const id = lastId;
      const transferred: Transferable[] = [];
      const argumentList = args.map((value) => toWire(value, transferred));
      worker.postMessage({ id, type: 'APPLY', path: [method], argumentList }, transferred);
      waiting.set(id, (answer) => {
        if (answer.type === 'RAW') resolve(answer.value);
        else reject(thrownBy(answer));
      });
    });
  return new Proxy({} as Control, {
    get:
      (_target, method) =>
      (...args: unknown[]) =>
        call(method as string, args),
  });
}

function toWire(value: unknown, transferred: Transferable[]): WireValue {
  if (value instanceof MessagePort) transferred.push(value);
  if (!byReference.has(value as object)) return { type: 'RAW', value };
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }: MessageEvent<Call>) => void serveCall(value as object, port1, data);
  transferred.push(port2);
  return { type: 'HANDLER', name: 'proxy', value: port2 };
}

async function serveCall(
  target: object,
  port: MessagePort,
  { id, type, path, argumentList }: Call,
): Promise<void> {
  const reply = (wire: WireValue): void => port.postMessage({ id, ...wire });
  if (type === 'RELEASE') {
    reply({ type: 'RAW' });
    return port.close();
  }
  try {
    const [method] = path;
    const called = method === undefined ? target : target[method as keyof object];
    const args = argumentList.map(({ value }) => value);
    reply({ type: 'RAW', value: await Reflect.apply(called as () => unknown, target, args) });
  } catch (error) {
    // Also where the result cannot be sent. The worker makes an error of the message.
    const value = { isError: true, value: { message: String(error) } };
    reply({ type: 'HANDLER', name: 'throw', value });
  }
}

/** The control plane answers with outcomes, so that only a defect gets here. */
function thrownBy({ value }: WireValue): unknown {
  const thrown = (value as { value?: { message?: string } } | undefined)?.value;
  return Object.assign(new Error(thrown?.message), thrown);
}
