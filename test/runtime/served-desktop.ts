import type {
  Desktop,
  DesktopHost,
  DesktopState,
  PairingQuestion,
  ServeDesktopOptions,
} from '@inpage-mcp/runtime';
import { MODERN_META } from '../support/raw-client.js';
import { soon } from '../support/within.js';
import { Hub } from './desktop-hub.js';
import { useRecordingRuntime, type RecordingRuntime } from './recording-runtime.js';

/** A runtime and a hub, and what serves the one through the other. */
export interface ServedDesktop {
  readonly page: RecordingRuntime;
  readonly hub: Hub;
  /** The states until now, without the first. */
  readonly states: readonly DesktopState[];
  /** The lists of apps until now. */
  readonly hosts: readonly (readonly DesktopHost[])[];
  /** The questions of pairings until now. */
  readonly questions: readonly PairingQuestion[];
  /** Serves, with a user who agrees to each pairing. It is stopped after the test. */
  serve(options?: Partial<ServeDesktopOptions>): Promise<Desktop>;
  /** The same, connected. */
  connect(options?: Partial<ServeDesktopOptions>): Promise<Desktop>;
  /** Resolves when that is the state. */
  until(state: DesktopState): Promise<void>;
}

/** A fresh one for each test of the suite that calls this. */
export function useDesktop(): ServedDesktop {
  const page = useRecordingRuntime();
  let hub: Hub;
  let served: Desktop[];
  let states: DesktopState[];
  let hosts: (readonly DesktopHost[])[];
  let questions: PairingQuestion[];
  const listeners = new Set<() => void>();

  beforeEach(async () => {
    hub = await Hub.open();
    served = [];
    states = [];
    hosts = [];
    questions = [];
  });

  afterEach(async () => {
    for (const desktop of served) desktop.stop();
    await hub.stop();
  });

  const serve: ServedDesktop['serve'] = async (options = {}) => {
    const desktop = await page.runtime.serveDesktop({
      port: hub.port,
      access: {},
      pair(question) {
        questions.push(question);
        return true;
      },
      onstatechange(state) {
        states.push(state);
        for (const listener of listeners) listener();
      },
      onhosts: (list) => hosts.push(list),
      ...options,
    });
    served.push(desktop);
    return desktop;
  };
  const until: ServedDesktop['until'] = (state) =>
    soon(
      `the state ${state}`,
      new Promise((resolve) => {
        const look = (): void => {
          if (served.at(-1)?.state !== state) return;
          listeners.delete(look);
          resolve();
        };
        listeners.add(look);
        look();
      }),
    );
  return {
    page,
    get hub() {
      return hub;
    },
    get states() {
      return states;
    },
    get hosts() {
      return hosts;
    },
    get questions() {
      return questions;
    },
    serve,
    async connect(options) {
      const desktop = await serve(options);
      await desktop.connect();
      await until('connected');
      return desktop;
    },
    until,
  };
}

/** Opens a session for an app, which is let in. */
export async function openSession(
  hub: Hub,
  number: number,
  name = 'Claude Desktop',
): Promise<void> {
  await hub.send('open', number, { name, version: '1.2.3' });
  await hub.next('opened');
}

/** Sends a request in a session, and resolves with the answer. */
export async function ask(
  hub: Hub,
  number: number,
  method: string,
  params: object = {},
): Promise<unknown> {
  const id = await request(hub, number, method, params);
  const [, to, message] = await hub.next('m', id);
  if (to !== number) throw new Error(`The answer to session ${number} came in ${String(to)}.`);
  return message;
}

/** The same for a long answer; resolves with its length, and that of its frame, as JSON. */
export async function askForLength(
  hub: Hub,
  number: number,
  method: string,
  params: object = {},
): Promise<number> {
  return await hub.nextLength('m', await request(hub, number, method, params));
}

async function request(hub: Hub, number: number, method: string, params: object): Promise<string> {
  const id = crypto.randomUUID();
  const message = { jsonrpc: '2.0', id, method, params: { ...params, _meta: MODERN_META } };
  await hub.send('m', number, message);
  return id;
}
