import { executeServerCommand } from '@web/test-runner-commands';

/** A message on the wire: its kind, and its values. */
export type Frame = [kind: string, ...values: unknown[]];

/** What a hub does otherwise than it should (test/support/fake-hub.mjs). */
export interface Faults {
  proof?: 'wrong' | 'replayed' | 'other port' | 'other origin' | 'malformed';
  commitment?: 'wrong' | 'malformed';
  key?: 'wrong' | 'malformed';
  agreement?: 'busy' | 'refuse' | 'late' | 'wrong' | 'early' | 'other port';
  silentTo?: string;
  rests?: boolean;
}

async function control<Value = void>(does: string, payload: object = {}): Promise<Value> {
  const answer = await executeServerCommand('desktop-hub', { does, ...payload });
  return (answer as { value: Value }).value;
}

/** How long a frame is waited for, in milliseconds; less than a test may take. */
const PATIENCE_MS = 120_000;

/** A hub of a bridge, which does what a test says. */
export class Hub {
  readonly port: number;
  readonly #hub: number;

  private constructor(hub: number, port: number) {
    this.#hub = hub;
    this.port = port;
  }

  /** Listens at a port of its own. */
  static async open(): Promise<Hub> {
    const { hub, port } = await control<{ hub: number; port: number }>('open');
    return new Hub(hub, port);
  }

  misbehave(faults: Faults): Promise<void> {
    return control('set', { hub: this.#hub, name: 'faults', value: faults });
  }

  /**
   * Takes the next frame of a kind, or of the answer to a request; `closed` when the page has closed,
   * with its code.
   */
  async next(kind: string, id?: string): Promise<Frame> {
    const wanted = id === undefined ? [kind] : [kind, id];
    await this.#until(wanted);
    return await this.#call('next', ...wanted);
  }

  /** The length of such a frame as JSON: for what is too long to be sent on. */
  async nextLength(kind: string, id: string): Promise<number> {
    await this.#until([kind, id]);
    return await this.#call('nextLength', kind, id);
  }

  /** Looks again and again: a command of the runner may take 20 s, a busy machine longer. */
  async #until(wanted: string[]): Promise<void> {
    const endMs = Date.now() + PATIENCE_MS;
    while (!(await this.#call<boolean>('has', ...wanted)) && Date.now() < endMs)
      await new Promise((resolve) => setTimeout(resolve, 20));
  }

  /** Sends a frame to the page that has connected last. */
  send(...frame: Frame): Promise<void> {
    return this.#call('send', ...frame);
  }

  /** Sends a text as a frame; `N` in it is the number of the frame. */
  sendText(text: string): Promise<void> {
    return this.#call('sendText', text);
  }

  /** Sends the last frame again, with its number. */
  repeat(): Promise<void> {
    return this.#call('repeat');
  }

  sendLong(length: number): Promise<void> {
    return this.#call('sendLong', length);
  }

  close(code: number): Promise<void> {
    return this.#call('close', code);
  }

  pause(): Promise<void> {
    return this.#call('pause');
  }

  resume(): Promise<void> {
    return this.#call('resume');
  }

  agree(): Promise<void> {
    return this.#call('agree');
  }

  /** Ends at once. */
  stop(): Promise<void> {
    return this.#call('stop');
  }

  /** Listens again, at the same port. */
  listen(): Promise<void> {
    return this.#call('listen');
  }

  forgetPairings(): Promise<void> {
    return this.#call('forgetPairings');
  }

  /** The code of the last pairing. */
  code(): Promise<string> {
    return control('get', { hub: this.#hub, name: 'code' });
  }

  /** The kinds of the frames that no test has taken. */
  untaken(): Promise<string[]> {
    return control('get', { hub: this.#hub, name: 'kinds' });
  }

  /** How many pairings it knows. */
  pairings(): Promise<number> {
    return control('get', { hub: this.#hub, name: 'pairings' });
  }

  /** How many sockets pages have opened. */
  connections(): Promise<number> {
    return control('get', { hub: this.#hub, name: 'connections' });
  }

  #call<Value = void>(name: string, ...args: unknown[]): Promise<Value> {
    return control('call', { hub: this.#hub, name, args });
  }
}
