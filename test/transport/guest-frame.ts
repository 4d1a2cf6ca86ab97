import { secondOrigin } from '../support/second-origin.js';
import { eventually } from '../support/within.js';

/** How a command failed in the frame. */
export class GuestError extends Error {
  override readonly name = 'GuestError';
  readonly code: string | undefined;

  constructor({ code, message }: { code?: string; message: string }) {
    super(message);
    this.code = code;
  }
}

interface Answer {
  id: number;
  value?: unknown;
  error?: { code?: string; message: string };
}

/** A frame that does what a test asks (test/fixtures/handover-guest.ts), on a port of its own. */
export class Guest {
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, (answer: Answer) => void>();

  constructor(frame: Window) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.onmessage = ({ data }: MessageEvent<Answer>) => this.#waiting.get(data.id)?.(data);
    frame.postMessage('control', '*', [port2]);
  }

  /** Resolves with what the command returns. */
  async do<Value = unknown>(name: string, argument: object = {}): Promise<Value> {
    const id = this.#waiting.size;
    const answered = new Promise<Answer>((resolve) => this.#waiting.set(id, resolve));
    this.#port.postMessage({ id, name, argument });
    const { value, error } = await answered;
    if (error) throw new GuestError(error);
    return value as Value;
  }
}

const opened = new Set<HTMLIFrameElement>();

/** Where the guest is, on one of the two origins; a path to connect at once. */
export function guestUrl(origin: string = secondOrigin, search = ''): string {
  return `${origin}/test/fixtures/handover-guest.html${search}`;
}

/** A frame that is not loaded yet. */
export function frameOf(src: string): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.src = src;
  opened.add(frame);
  return frame;
}

/** Resolves after the next `load`. */
export async function loaded(frame: HTMLIFrameElement): Promise<void> {
  await new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
}

/** Opens a frame. */
export async function openGuest(
  src: string = guestUrl(),
): Promise<{ frame: HTMLIFrameElement; guest: Guest }> {
  const frame = frameOf(src);
  document.body.append(frame);
  await loaded(frame);
  return { frame, guest: new Guest(frame.contentWindow!) };
}

/** The first frame in a frame: the frame itself knows of it first, and this page a moment later. */
export async function innerFrame({ contentWindow }: HTMLIFrameElement): Promise<Window> {
  await eventually(() => contentWindow!.length > 0);
  return contentWindow![0]!;
}

/** For `afterEach`. */
export function removeFrames(): void {
  for (const frame of opened) frame.remove();
  opened.clear();
}
