import { expect } from '@esm-bundle/chai';
import { connectClient, type McpClient } from '@inpage-mcp/client';
import { definePrompt, defineTool } from '@inpage-mcp/server';
import { MessagePortTransport, type JsonRpcMessage } from '@inpage-mcp/transport';
import { CountingListener } from '../contracts/client-contract.js';
import { deleteDatabase } from '../support/database.js';
import { failureOf } from '../support/failure.js';
import { openLinkedServer, useLinkedServer } from '../support/linked-server.js';
import { eventually } from '../support/within.js';

/** A transport that keeps what is sent. */
class RecordingTransport extends MessagePortTransport {
  readonly sent: JsonRpcMessage[] = [];

  override async send(message: JsonRpcMessage): Promise<void> {
    this.sent.push(message);
    await super.send(message);
  }

  methods(): string[] {
    return this.sent.map((message) => ('method' in message ? message.method : 'answer'));
  }
}

/** A signal of an app, which lives long, and how many listen to it. */
class CountingSignal {
  readonly signal = new AbortController().signal;
  readonly #listening = new Set<unknown>();

  constructor() {
    const { signal } = this;
    const { addEventListener, removeEventListener } = signal;
    type Add = (type: string, listener: unknown, options?: { signal?: AbortSignal }) => void;
    const count: Add = (type, listener, options) => {
      this.#listening.add(listener);
      const forget = (): unknown => this.#listening.delete(listener);
      if (options?.signal?.aborted) forget();
      options?.signal?.addEventListener('abort', forget);
      (addEventListener as Add).call(signal, type, listener, options);
    };
    const forget: Add = (type, listener) => {
      this.#listening.delete(listener);
      (removeEventListener as Add).call(signal, type, listener);
    };
    Object.assign(signal, { addEventListener: count, removeEventListener: forget });
  }

  get listeners(): number {
    return this.#listening.size;
  }
}

describe('watches', () => {
  const linked = useLinkedServer();
  let transport: RecordingTransport;
  let client: McpClient;

  beforeEach(async () => {
    transport = new RecordingTransport(linked.openPort());
    client = await connectClient(transport);
  });

  afterEach(async () => {
    await client.close();
  });

  const createNote = async (): Promise<{ id: string; uri: string }> => {
    const { id } = await linked.server.store.notes.create({ title: 'a', text: 'b' });
    return { id, uri: `note:///${id}` };
  };

  /** Watches, and resolves the returned promises one by one with each call. */
  function counting(): {
    calls: () => number;
    listener: () => void;
    called: (n: number) => Promise<void>;
  } {
    let count = 0;
    const waiters: { at: number; resolve: () => void }[] = [];
    return {
      calls: () => count,
      listener() {
        count += 1;
        for (const { at, resolve } of waiters) if (count >= at) resolve();
      },
      called: (at) =>
        new Promise((resolve) => {
          if (count >= at) resolve();
          else waiters.push({ at, resolve });
        }),
    };
  }

  it('leave nothing on a signal that outlives them, however they end', async () => {
    const signal = new CountingSignal();
    const options = { signal: signal.signal };
    const noop = (): void => undefined;
    const other = await openLinkedServer(undefined, { features: [] });
    const watching = await other.connect();
    try {
      const stopped = watching.watchList(noop, options);
      await stopped.ready;
      expect(signal.listeners).to.equal(1);
      stopped.stop();
      expect(signal.listeners).to.equal(0);
      const refused = watching.watchTools(noop, options);
      expect(await failureOf(refused.ready)).to.include({ code: 'unsupported' });
      expect(signal.listeners).to.equal(0);
      watching.watchState(noop, options);
      await watching.watchList(noop, options).ready;
      expect(signal.listeners).to.equal(2);
      await watching.close();
      await watching.closed;
      expect(signal.listeners).to.equal(0);
      expect(await failureOf(watching.watchList(noop, options).ready)).to.include({
        code: 'closed',
      });
      watching.watchState(noop, options);
      expect(signal.listeners).to.equal(0);
    } finally {
      await other.server.close();
      await deleteDatabase(other.databaseName);
    }
  });

  it('are notified that tools and prompts come and go', async () => {
    let removeTool!: () => void;
    let removePrompt!: () => void;
    const other = await openLinkedServer(undefined, {
      configure: (server) => {
        removeTool = server.addTool(defineTool({ name: 'app_tool', run: () => '' }));
        const run = () => ({ messages: [] });
        removePrompt = server.addPrompt(definePrompt({ name: 'app_prompt', run }));
      },
    });
    const watching = await other.connect();
    try {
      const [tools, prompts, list] = [counting(), counting(), counting()];
      const watches = [
        watching.watchTools(tools.listener),
        watching.watchPrompts(prompts.listener),
        watching.watchList(list.listener),
      ];
      await Promise.all(watches.map(({ ready }) => ready));
      removeTool();
      await tools.called(1);
      removePrompt();
      await prompts.called(1);
      const names = (await watching.listTools()).tools.map(({ name }) => name);
      expect(names).not.to.include('app_tool');
      expect([tools.calls(), prompts.calls(), list.calls()]).to.deep.equal([1, 1, 0]);
      watches[0]!.stop();
      expect(
        await failureOf(
          watching.watchTools(() => undefined, {
            signal: AbortSignal.abort(new Error('too late')),
          }).ready,
        ),
      ).to.include({ message: 'too late' });
    } finally {
      await watching.close();
      await other.server.close();
      await deleteDatabase(other.databaseName);
    }
  });

  it('share one stream for all of a turn, and one topic for many listeners', async () => {
    const notes = await Promise.all(Array.from({ length: 10 }, createNote));
    const before = transport.sent.length;
    const watcher = counting();
    const watches = notes.flatMap(({ uri }) => [
      client.watch(uri, watcher.listener),
      client.watch(uri, watcher.listener),
    ]);
    watches.push(client.watchList(() => undefined));
    await Promise.all(watches.map(({ ready }) => ready));
    expect(transport.methods().slice(before)).to.deep.equal(['subscriptions/listen']);
    await linked.server.store.notes.update(notes[3]!.id, { text: 'c' });
    await watcher.called(2);
    watches[6]!.stop();
    await linked.server.store.notes.update(notes[3]!.id, { text: 'd' });
    await watcher.called(3);
    // The other listener of the same topic stays: the server is sent nothing.
    expect(transport.methods().slice(before)).to.deep.equal(['subscriptions/listen']);
  });

  it('miss nothing and receive nothing twice while others come and go', async () => {
    const note = await createNote();
    const watcher = counting();
    await client.watch(note.uri, watcher.listener).ready;
    const others = [];
    for (let round = 1; round <= 20; round += 1) {
      others.push(client.watch(`note:///other-${round}`, () => undefined));
      if (round % 3 === 0) others.shift()?.stop();
      await linked.server.store.notes.update(note.id, { text: `${round}` });
      await watcher.called(round);
    }
    await client.listResources();
    expect(watcher.calls()).to.equal(20);
  });

  it('end with stop and with their signal, and end the stream with the last of them', async () => {
    const note = await createNote();
    const watcher = counting();
    const controller = new AbortController();
    const [first, second] = [
      client.watch(note.uri, watcher.listener),
      client.watch(note.uri, watcher.listener, { signal: controller.signal }),
    ];
    await Promise.all([first.ready, second.ready]);
    first.stop();
    first.stop();
    controller.abort();
    const other = counting();
    await client.watchList(other.listener).ready;
    await linked.server.store.notes.update(note.id, { title: 'c' });
    await other.called(1);
    expect(watcher.calls()).to.equal(0);
    expect(transport.methods()).to.include('notifications/cancelled');
  });

  it('end with the connection', async () => {
    const pending = client.watchList(() => undefined);
    await client.close();
    expect(await failureOf(pending.ready)).to.include({ code: 'closed' });
    expect(await failureOf(client.watchList(() => undefined).ready)).to.include({ code: 'closed' });
  });

  it('go on when one listener throws', async () => {
    const reported: unknown[] = [];
    const { reportError } = globalThis;
    globalThis.reportError = (error) => reported.push(error);
    const watcher = counting();
    try {
      client.watchList(() => {
        throw new Error('broken');
      });
      await client.watchList(watcher.listener).ready;
      await createNote();
      await watcher.called(1);
    } finally {
      globalThis.reportError = reportError;
    }
    expect(reported.map(String)).to.deep.equal(['Error: broken']);
  });
});

describe('watches at the limit of the server', () => {
  const linked = useLinkedServer();
  let client: McpClient;
  /** What the listener of each note was called for, by the title of the note. */
  let calls: { [title: string]: ('change' | 'gap')[] };

  const connect = async (): Promise<void> => {
    client = await connectClient(new MessagePortTransport(linked.openPort({}, 'guest')));
  };

  beforeEach(async () => {
    calls = {};
    linked.server.setLimits({ guest: { subscriptions: 3 } });
    await connect();
  });

  afterEach(() => client.close());

  const createNote = async (title: string): Promise<string> =>
    (await linked.server.store.notes.create({ title, text: '' })).id;
  const watch = (title: string, id = title) => {
    const own: (typeof calls)[string] = (calls[title] = []);
    return client.watch(`note:///${id}`, (_uri, meta) => own.push(meta ? 'change' : 'gap'));
  };
  const change = async (title: string, id: string): Promise<void> => {
    const before = calls[title]!.length;
    await linked.server.store.notes.update(id, { text: `${before}` });
    await eventually(() => calls[title]!.length > before);
  };

  it('are as many as it permits, although it counts the old and the new stream', async () => {
    const [a, b, c] = await Promise.all(['a', 'b', 'c'].map(createNote));
    await Promise.all([watch('a', a).ready, watch('b', b).ready]);
    await watch('c', c).ready;
    expect(calls).to.deep.equal({ a: ['gap'], b: ['gap'], c: [] });
    await change('a', a!);
    await change('c', c!);
    expect(calls).to.deep.equal({ a: ['gap', 'change'], b: ['gap'], c: ['change'] });
  });

  it('go on when one more is refused, and one that ends makes room', async () => {
    const [a, b] = await Promise.all(['a', 'b'].map(createNote));
    const last = watch('c');
    await Promise.all([watch('a', a).ready, watch('b', b).ready, last.ready]);
    const refused = await failureOf(watch('d').ready);
    expect(refused).to.deep.include({ code: -32602, data: { limit: 'subscriptions', maximum: 3 } });
    await eventually(() => calls['b']!.length > 0);
    await change('a', a!);
    await change('b', b!);
    const both = ['gap', 'change'];
    expect(calls).to.deep.equal({ a: both, b: both, c: ['gap'], d: [] });
    last.stop();
    await watch('d').ready;
    await change('a', a!);
    expect(calls['a']).to.deep.equal([...both, 'gap', 'change']);
  });

  it('are 256 for a guest', async () => {
    linked.server.setLimits({});
    await client.close();
    await connect();
    const ready = (from: number, to: number): Promise<unknown> => {
      const numbers = Array.from({ length: to - from }, (_, index) => from + index);
      return Promise.all(numbers.map((number) => watch(`${number}`).ready));
    };
    for (const [from, to] of [
      [0, 128],
      [128, 129],
      [129, 255],
      [255, 256],
    ] as const)
      await ready(from, to);
    expect(await failureOf(ready(256, 257))).to.include({ code: -32602 });
  });
});

describe('watches whose stream is replaced', () => {
  /** A server that acknowledges and notifies when a test says so. */
  async function connectScripted(): Promise<{
    client: McpClient;
    received: JsonRpcMessage[];
    nextListen: () => Promise<number>;
    acknowledge: (id: number, notifications: object) => void;
    notify: (id: number, uri: string) => void;
    end: (id: number) => void;
    refuse: (id: number, code: number, data?: object) => void;
  }> {
    const { port1: port, port2 } = new MessageChannel();
    const received: JsonRpcMessage[] = [];
    const listens: number[] = [];
    let onListen: (() => void) | undefined;
    port.onmessage = ({ data }: MessageEvent<JsonRpcMessage | null>) => {
      if (data === null) return;
      received.push(data);
      if (!('method' in data) || !('id' in data)) return;
      if (data.method === 'server/discover') {
        const result = { supportedVersions: ['2026-07-28'], capabilities: { resources: {} } };
        port.postMessage({ jsonrpc: '2.0', id: data.id, result });
      } else if (data.method === 'subscriptions/listen') {
        listens.push(data.id as number);
        onListen?.();
      } else {
        port.postMessage({ jsonrpc: '2.0', id: data.id, result: { contents: [] } });
      }
    };
    const stamped = (id: number, method: string, params: object): void => {
      const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
      port.postMessage({ jsonrpc: '2.0', method, params: { ...params, _meta } });
    };
    return {
      client: await connectClient(new MessagePortTransport(port2)),
      received,
      async nextListen() {
        while (listens.length === 0) {
          await new Promise<void>((resolve) => {
            onListen = resolve;
          });
        }
        return listens.shift()!;
      },
      acknowledge: (id, notifications) =>
        stamped(id, 'notifications/subscriptions/acknowledged', { notifications }),
      notify: (id, uri) => stamped(id, 'notifications/resources/updated', { uri }),
      end: (id) => port.postMessage({ jsonrpc: '2.0', id, result: { resultType: 'complete' } }),
      refuse: (id, code, data) =>
        port.postMessage({ jsonrpc: '2.0', id, error: { code, message: 'refused', data } }),
    };
  }

  /** Watches `a:1`; the server acknowledges it. */
  async function watchOne({
    client,
    nextListen,
    acknowledge,
  }: Awaited<ReturnType<typeof connectScripted>>): Promise<{
    listener: CountingListener;
    stream: number;
  }> {
    const listener = new CountingListener();
    const watch = client.watch('a:1', listener.call);
    const stream = await nextListen();
    acknowledge(stream, { resourceSubscriptions: ['a:1'] });
    await watch.ready;
    return { listener, stream };
  }

  it('receive from the old stream until the new one is acknowledged, then only from the new one', async () => {
    const server = await connectScripted();
    const { client, received, nextListen, acknowledge, notify } = server;
    const { listener, stream: first } = await watchOne(server);
    const other = client.watch('a:2', () => undefined);
    const second = await nextListen();
    // The new stream was asked for and is not there yet: the old one must go on.
    expect(
      received.filter((message) => 'method' in message && message.method.endsWith('cancelled')),
    ).to.deep.equal([]);
    notify(first, 'a:1');
    acknowledge(second, { resourceSubscriptions: ['a:1', 'a:2'] });
    // One change, reported on both streams, as a server does until the old one is cancelled.
    notify(first, 'a:1');
    notify(second, 'a:1');
    await other.ready;
    // A round trip: everything that was posted before has been handled.
    await client.readResource('a:1');
    expect(listener.calls).to.equal(2);
    expect(received.at(-2)).to.deep.equal({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: first },
    });
    await client.close();
  });

  it('keep the old stream when the server is only too busy for a new one', async () => {
    const server = await connectScripted();
    const { client, received, nextListen, notify, refuse } = server;
    const { listener, stream: first } = await watchOne(server);
    const other = client.watch('a:2', () => undefined);
    refuse(await nextListen(), -32000);
    expect(await failureOf(other.ready)).to.include({ code: -32000 });
    notify(first, 'a:1');
    // A round trip: everything that was posted before has been handled.
    await client.readResource('a:1');
    expect(listener.calls).to.equal(1);
    expect(JSON.stringify(received)).not.to.contain('cancelled');
    await client.close();
  });

  it('go on when the server is too busy for the stream after one that it has ended', async () => {
    const server = await connectScripted();
    const { client, nextListen, acknowledge, notify, end, refuse } = server;
    const { listener, stream: first } = await watchOne(server);
    end(first);
    refuse(await nextListen(), -32000, { limit: 'requestsPerSecond', retryAfterMs: 5 });
    const later = await nextListen();
    acknowledge(later, { resourceSubscriptions: ['a:1'] });
    notify(later, 'a:1');
    await client.readResource('a:1');
    // Something may have been missed; and the change.
    expect(listener.calls).to.equal(2);
    await client.close();
  });

  it('hear of a part of what they watch, if nobody watches the part', async () => {
    const server = await connectScripted();
    const { client, nextListen, acknowledge, notify } = server;
    const { listener, stream: first } = await watchOne(server);
    notify(first, 'a:1/x');
    notify(first, 'a:12');
    await client.readResource('a:1');
    expect(listener.calls).to.equal(1);
    const part = new CountingListener();
    const watched = client.watch('a:1/x', part.call);
    const second = await nextListen();
    acknowledge(second, { resourceSubscriptions: ['a:1', 'a:1/x'] });
    await watched.ready;
    notify(second, 'a:1/x');
    await client.readResource('a:1');
    expect([listener.calls, part.calls]).to.deep.equal([1, 1]);
    await client.close();
  });

  it('listen again when the server ends the stream, and say once that something may be missed', async () => {
    const { client, nextListen, acknowledge, notify, end } = await connectScripted();
    const waiters: (() => void)[] = [];
    let calls = 0;
    const watch = client.watch('a:1', () => {
      calls += 1;
      waiters.shift()?.();
    });
    const called = (): Promise<void> => new Promise((resolve) => waiters.push(resolve));
    const first = await nextListen();
    acknowledge(first, { resourceSubscriptions: ['a:1'] });
    await watch.ready;
    const missed = called();
    end(first);
    const second = await nextListen();
    // A client that reads again before that may miss what comes in between.
    expect(calls).to.equal(0);
    acknowledge(second, { resourceSubscriptions: ['a:1'] });
    await missed;
    const updated = called();
    notify(second, 'a:1');
    await updated;
    expect(calls).to.equal(2);
    await client.close();
  });
});
