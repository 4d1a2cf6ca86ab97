import { expect } from '@esm-bundle/chai';
import type { McpClient } from '@inpage-mcp/client';
import type { ResourceProvider } from '@inpage-mcp/server';
import { startRuntime, type Runtime, type RuntimeOptions } from '@inpage-mcp/runtime';
import { clock, CLOCK_URI } from '../../examples/own-worker/src/clock.js';
import { FIRST_BOOKMARKS } from '../../examples/own-worker/src/first-bookmarks.js';
import { weather, WEATHER_URI } from '../../examples/own-worker/src/weather.js';
import { deleteDatabase, freshDatabaseName } from '../support/database.js';
import { failureOf } from '../support/failure.js';
import { openLinkedServer } from '../support/linked-server.js';
import { RawClient } from '../support/raw-client.js';
import { errorOf, resultOf } from '../support/revisions.js';

const WEATHER_DATABASE = 'own-worker-example';
const API_URL = new URL('../../examples/own-worker/src/weather.json', import.meta.url);
const BOOKMARKED = FIRST_BOOKMARKS.map(({ uri }) => uri);
const STORAGE_AND_ACTIVITY = ['inpage:///storage', 'inpage:///activity'];

type Params = { [key: string]: unknown };

describe('the example with its own worker', () => {
  let databaseName: string;
  let runtime: Runtime;
  let client: McpClient;

  const start = (options: RuntimeOptions = {}): Promise<Runtime> =>
    startRuntime({
      databaseName,
      worker: () =>
        new Worker(new URL('../../examples/own-worker/src/worker.js', import.meta.url), {
          type: 'module',
        }),
      ...options,
    });

  const listAll = async (): Promise<string[]> => {
    const all = [];
    for await (const page of client.resources()) all.push(...page);
    return all.map(({ uri }) => uri);
  };

  const textAt = async (uri: string, reader = client): Promise<string> => {
    const { contents } = await reader.readResource(uri);
    expect(contents.map((content) => content.uri)).to.deep.equal([uri]);
    return (contents[0] as { text: string }).text;
  };

  beforeEach(async () => {
    databaseName = freshDatabaseName();
    runtime = await start();
    client = await runtime.connect();
  });

  afterEach(async () => {
    await runtime.close();
    await deleteDatabase(databaseName);
    await deleteDatabase(WEATHER_DATABASE);
  });

  it('says who it is', async () => {
    expect(client.serverInfo).to.include({ name: 'own-worker', version: '1.0.0' });
  });

  it('lists the built-in kinds, those of the page and its own, in the order of its providers', async () => {
    const { id } = await runtime.notes.create({ title: 'a', text: 'b' });
    await runtime.files.write('c.txt', new Blob(['d']));
    await runtime.provide({ uri: 'app://selection', name: 'selection', read: () => 'e' });
    expect(await listAll()).to.deep.equal([
      `note:///${id}`,
      'file:///c.txt',
      'app://selection',
      ...STORAGE_AND_ACTIVITY,
      CLOCK_URI,
      WEATHER_URI,
      ...BOOKMARKED,
    ]);
  });

  it('reads what the page provides, and notifies when it has changed', async () => {
    let selected = 'one';
    const uri = 'app://selection';
    const selection = await runtime.provide({ uri, name: 'selection', read: () => selected });
    expect(await textAt(uri)).to.equal('one');
    const changed = callCounter();
    await client.watch(uri, changed.call).ready;
    selected = 'two';
    await selection.changed();
    await changed.times(1);
    expect(await textAt(uri)).to.equal('two');
  });

  describe('has bookmarks that', () => {
    it('are read at the very address that is listed', async () => {
      for (const { uri, text } of FIRST_BOOKMARKS) expect(await textAt(uri)).to.equal(text);
    });

    it('are not found at another spelling of the address', async () => {
      const others = BOOKMARKED.flatMap(otherSpellings);
      expect(others.length).to.be.above(BOOKMARKED.length);
      for (const uri of others) {
        expect(await failureOf(client.readResource(uri)), uri).to.include({ code: -32602 });
      }
    });

    it('include addresses that a URL parser would have rewritten', () => {
      const rewritten = BOOKMARKED.filter((uri) => new URL(uri).href !== uri);
      expect(rewritten).to.deep.equal([
        'https://example.org:443/status',
        'https://[2001:DB8::1]:8443/router',
        'HTTPS://Example.ORG/%7eann/caf%c3%A9',
        'git://example.org/src/../LICENSE',
      ]);
    });
  });

  it('joins its providers with the built-in ones behind one cursor', async () => {
    // The first page holds 200: it ends after the first bookmark.
    const noteCount = 200 - STORAGE_AND_ACTIVITY.length - [CLOCK_URI, WEATHER_URI].length - 1;
    const notes = Array.from({ length: noteCount }, (_, index) => ({
      title: `${index}`,
      text: '',
    }));
    await Promise.all(notes.map((note) => runtime.notes.create(note)));
    const first = await client.listResources();
    const second = await client.listResources({ cursor: first.nextCursor });
    expect(first.resources).to.have.length(200);
    expect(first.resources.at(-1)).to.include({ uri: BOOKMARKED[0] });
    expect(second.resources.map(({ uri }) => uri)).to.deep.equal(BOOKMARKED.slice(1));
    expect(second.nextCursor).to.equal(undefined);
  });

  it('refuses a cursor with a position that none of its providers gave out', async () => {
    for (const provider of ['bookmarks', 'clock', 'weather']) {
      const cursor = btoa(JSON.stringify([1, provider, 'https://example.org/?'])).replace(
        /=+$/,
        '',
      );
      const error = await failureOf(client.listResources({ cursor }));
      expect(error, provider).to.include({ code: -32602 });
    }
  });

  it('says nothing about a bookmark that a connection may not see', async () => {
    const [hidden = ''] = BOOKMARKED;
    const shown = BOOKMARKED.slice(-2);
    const raw = new RawClient(await runtime.openPort({ access: { read: shown } }));
    const cursorAt = (position: string): string =>
      btoa(JSON.stringify([1, 'bookmarks', position])).replace(/=+$/, '');
    const list = async (params: Params = {}) => await raw.modern('resources/list', params);
    const { resources } = resultOf(await list()) as { resources: { uri: string }[] };
    expect(resources.map(({ uri }) => uri)).to.deep.equal(shown);
    const ofHidden = errorOf(await list({ cursor: cursorAt(hidden) }));
    expect(ofHidden).to.include({ code: -32602 });
    expect(ofHidden).to.deep.equal(errorOf(await list({ cursor: cursorAt('none:') })));
  });

  it('notifies a watcher of the clock each second', async () => {
    const ticks = callCounter();
    const before = await textAt(CLOCK_URI);
    const watch = client.watch(CLOCK_URI, ticks.call);
    await watch.ready;
    await ticks.times(1);
    const after = await textAt(CLOCK_URI);
    await ticks.times(2);
    const times = [before, after, await textAt(CLOCK_URI)];
    expect(times.map((time) => new Date(time).toISOString())).to.deep.equal(times);
    expect([...new Set(times)].toSorted()).to.deep.equal(times);
  });

  it('serves the answer of its API, and keeps it for the next worker', async () => {
    const { contents: first } = await client.readResource(WEATHER_URI);
    const text = await (await fetch(API_URL)).text();
    expect(first).to.have.length(1);
    expect(first[0]).to.include({ uri: WEATHER_URI, mimeType: 'application/json', text });
    await runtime.close();
    runtime = await start();
    client = await runtime.connect();
    const { contents: second } = await client.readResource(WEATHER_URI);
    // It says when it was fetched.
    expect(second).to.deep.equal(first);
  });

  describe('beside what is built in', () => {
    let ask: RawClient['modern'];

    beforeEach(async () => {
      const raw = new RawClient(await runtime.openPort());
      ask = (method, params) => raw.modern(method, params);
    });

    it('lists its template after the built-in ones', async () => {
      const uris = namesIn(
        await ask('resources/templates/list'),
        'resourceTemplates',
        'uriTemplate',
      );
      expect(uris).to.include.members(['note:///{id}', 'file:///{+path}']);
      expect(uris.at(-1)).to.equal('git://example.org/{+path}');
    });

    it('completes its template to addresses that exist', async () => {
      const complete = (name: string, value: string): Promise<unknown> =>
        ask('completion/complete', {
          ref: { type: 'ref/resource', uri: 'git://example.org/{+path}' },
          argument: { name, value },
        });
      const values = ['src/a%20file.c?ref=v1.2#L10-L20', 'src/../LICENSE'];
      expect(await complete('path', 'src/')).to.have.deep.nested.property('result.completion', {
        values,
        total: 2,
        hasMore: false,
      });
      for (const path of values) await textAt(`git://example.org/${path}`);
      const none = { values: [], total: 0, hasMore: false };
      for (const answer of [await complete('path', 'nowhere'), await complete('host', '')]) {
        expect(answer).to.have.deep.nested.property('result.completion', none);
      }
    });

    it('says that an address is missing', async () => {
      const uri = 'https://example.org/status';
      const answer = await ask('resources/read', { uri });
      expect(answer).to.have.nested.property('error.code', -32602);
      expect(answer).to.have.nested.property('error.data.uri', uri);
    });

    it('offers its tool and its prompt beside the built-in ones', async () => {
      const tools = namesIn(await ask('tools/list'), 'tools');
      expect(tools).to.include.members(['create_note', 'read_resource', 'add_bookmark']);
      const prompts = namesIn(await ask('prompts/list'), 'prompts');
      expect(prompts).to.include.members(['summarize_note', 'explain_bookmark']);
      const note = { title: 'a', text: 'b' };
      const answer = await ask('tools/call', { name: 'create_note', arguments: note });
      expect(answer).to.not.have.nested.property('result.isError', true);
      expect((await runtime.notes.list()).notes).to.have.length(1);
    });

    it('adds a bookmark as it is spelled, and notifies all connections', async () => {
      const uri = 'x-Any+1.0://[2001:DB8::A]:080/%7E/./?q=%20#';
      const changed = callCounter();
      await client.watchList(changed.call).ready;
      const bookmark = { uri, title: 'Odd', text: 'but valid' };
      const answer = await ask('tools/call', { name: 'add_bookmark', arguments: bookmark });
      const link = { type: 'resource_link', uri, name: 'Odd' };
      expect(answer).to.have.deep.nested.property('result.content[1]', link);
      await changed.times(1);
      expect(await listAll()).to.include(uri);
      expect(await textAt(uri)).to.equal('but valid');
      expect(await failureOf(client.readResource(new URL(uri).href))).to.include({
        code: -32602,
      });
    });

    it('replaces the bookmark of the same address', async () => {
      const [uri] = BOOKMARKED;
      const bookmark = { uri, title: 'New', text: 'new' };
      await ask('tools/call', { name: 'add_bookmark', arguments: bookmark });
      expect(await textAt(uri!)).to.equal('new');
      expect((await listAll()).slice(-BOOKMARKED.length)).to.deep.equal(BOOKMARKED);
    });

    it('refuses a bookmark that is no URI, is too long, or belongs to another provider', async () => {
      const before = await listAll();
      const tooLong = `https://example.org/${'a'.repeat(2_048)}`;
      const bad = ['', 'example.org', 'https://a b', 'https://a/%zz', tooLong, 'NOTE:x', CLOCK_URI];
      for (const uri of bad) {
        const bookmark = { uri, title: 'a', text: 'b' };
        const answer = await ask('tools/call', { name: 'add_bookmark', arguments: bookmark });
        expect(answer, uri).to.have.nested.property('result.isError', true);
      }
      expect(await listAll()).to.deep.equal(before);
    });

    it('explains a bookmark with its content attached', async () => {
      const { uri, text } = FIRST_BOOKMARKS[3]!;
      const answer = await ask('prompts/get', { name: 'explain_bookmark', arguments: { uri } });
      const resource = { uri, mimeType: 'text/plain', text };
      expect(answer).to.have.deep.nested.property('result.messages[1]', {
        role: 'user',
        content: { type: 'resource', resource },
      });
      expect(answer).to.have.nested.property('result.messages[0].content.text').contains(uri);
    });

    it('has nothing to explain where nothing is', async () => {
      const uri = 'https://example.org/status';
      const answer = await ask('prompts/get', { name: 'explain_bookmark', arguments: { uri } });
      expect(answer).to.have.nested.property('error.code', -32602);
    });
  });

  it('does not offer its tool on a port that may not write', async () => {
    const raw = new RawClient(await runtime.openPort({ access: { write: 'deny' } }));
    const tools = namesIn(await raw.modern('tools/list'), 'tools');
    expect(tools).to.include('read_resource').and.not.include('add_bookmark');
  });

  it('asks the page before its tool writes, on a port that has to ask', async () => {
    await runtime.close();
    const questions: unknown[] = [];
    const answers = [false, true];
    runtime = await start({
      confirm(request) {
        questions.push(request);
        return answers.shift()!;
      },
    });
    client = await runtime.connect();
    const raw = new RawClient(await runtime.openPort({ access: { write: 'ask' } }));
    const uri = 'https://example.org/new';
    const call = { name: 'add_bookmark', arguments: { uri, title: 'New' } };
    expect(await raw.modern('tools/call', call)).to.have.nested.property('result.isError', true);
    expect(await failureOf(client.readResource(uri))).to.include({ code: -32602 });
    expect(await raw.modern('tools/call', call)).to.not.have.nested.property('result.isError');
    expect(await textAt(uri)).to.equal('');
    const message = `Add the bookmark ${uri}?`;
    const question = { tool: 'add_bookmark', message, arguments: call.arguments };
    expect(questions).to.deep.equal([question, question]);
  });
});

describe('the clock of the example', () => {
  const { setInterval, clearInterval } = globalThis;
  let running: Set<unknown>;
  let stopped: ReturnType<typeof callCounter>;

  beforeEach(() => {
    running = new Set();
    stopped = callCounter();
    globalThis.setInterval = ((...args: Parameters<typeof setInterval>) => {
      const timer = setInterval(...args);
      if (args[1] === 1_000) running.add(timer);
      return timer;
    }) as typeof setInterval;
    globalThis.clearInterval = (timer) => {
      clearInterval(timer);
      if (running.delete(timer)) stopped.call();
    };
  });

  afterEach(() => Object.assign(globalThis, { setInterval, clearInterval }));

  it('ticks once for all connections, from the first to the last', async () => {
    const linked = await openLinkedServer(freshDatabaseName(), { providers: [clock()] });
    expect(running.size).to.equal(0);
    const [first, second] = [await linked.connect(), await linked.connect()];
    expect(running.size).to.equal(1);
    const ticks = callCounter();
    await second.watch(CLOCK_URI, ticks.call).ready;
    await first.close();
    await ticks.times(1);
    expect(running.size).to.equal(1);
    await second.close();
    await stopped.times(1);
    expect(running.size).to.equal(0);
    const third = await linked.connect();
    expect(running.size).to.equal(1);
    await third.close();
    await linked.server.close();
    expect(running.size).to.equal(0);
    await deleteDatabase(linked.databaseName);
  });
});

describe('the weather of the example', () => {
  const { fetch } = globalThis;
  let databaseName: string;
  let requested: string[];
  /** What the API does when it is asked. */
  let api: () => Response;

  const json =
    (value: unknown): (() => Response) =>
    () =>
      Response.json(value);

  const textOf = async (provider: ResourceProvider): Promise<string> => {
    const permitted = { addresses: 'all', permits: () => true, mayPermit: () => true } as const;
    const { signal } = new AbortController();
    const contents = await provider.read(WEATHER_URI, { signal, permitted });
    return (contents![0] as { text: string }).text;
  };

  /** A provider for which every kept answer is too old. */
  const impatient = (): ResourceProvider => weather({ databaseName, maxAgeMs: 0 });

  beforeEach(() => {
    databaseName = freshDatabaseName();
    requested = [];
    api = json('sunny');
    globalThis.fetch = async (url) => {
      requested.push((url as URL).href);
      return api();
    };
  });

  afterEach(async () => {
    globalThis.fetch = fetch;
    await deleteDatabase(databaseName);
  });

  it('is fetched by the first read, and by none after it', async () => {
    const provider = weather({ databaseName });
    expect(requested).to.deep.equal([]);
    for (const reader of [provider, provider, weather({ databaseName })]) {
      expect(await textOf(reader)).to.equal('"sunny"');
      expect(requested).to.deep.equal([API_URL.href]);
    }
  });

  it('is fetched again when it is too old', async () => {
    const provider = impatient();
    await textOf(provider);
    api = json('rainy');
    expect(await textOf(provider)).to.equal('"rainy"');
    expect(requested).to.have.length(2);
  });

  it('is fetched once for readers that come together', async () => {
    const provider = weather({ databaseName });
    await Promise.all([textOf(provider), textOf(provider), textOf(provider)]);
    expect(requested).to.have.length(1);
  });

  it('is the kept one while the API cannot be reached or does not answer with JSON', async () => {
    await textOf(impatient());
    const failures: (() => Response)[] = [
      () => {
        throw new TypeError('Failed to fetch');
      },
      () => Response.json('broken', { status: 503 }),
      () => new Response('<p>Please log in</p>'),
    ];
    for (const failure of failures) {
      api = failure;
      expect(await textOf(impatient())).to.equal('"sunny"');
    }
    expect(requested).to.have.length(1 + failures.length);
  });

  it('cannot be read while there is neither a kept one nor an API, and is there afterwards', async () => {
    api = () => {
      throw new TypeError('Failed to fetch');
    };
    const provider = weather({ databaseName });
    expect(await failureOf(textOf(provider))).to.be.instanceOf(TypeError);
    api = json('sunny');
    expect(await textOf(provider)).to.equal('"sunny"');
  });

  it('is reported as changed when it is another, and only then', async () => {
    const provider = impatient();
    const changes: unknown[] = [];
    const stop = provider.listen((batch) => changes.push(...batch));
    await textOf(provider);
    await textOf(provider);
    expect(changes).to.deep.equal([]);
    api = json('rainy');
    await textOf(provider);
    expect(changes).to.deep.equal([{ uri: WEATHER_URI, listChanged: false }]);
    stop();
    api = json('sunny');
    await textOf(provider);
    expect(changes).to.have.length(1);
  });

  it('is fetched again after the user has cleared the data', async () => {
    const provider = weather({ databaseName });
    await textOf(provider);
    await deleteDatabase(databaseName);
    expect(await textOf(provider)).to.equal('"sunny"');
    expect(requested).to.have.length(2);
  });
});

/** A callback that counts, and what waits until it has been called so many times. */
function callCounter(): { call: () => void; times: (count: number) => Promise<void> } {
  let calls = 0;
  const waiting = new Set<() => void>();
  return {
    call() {
      calls += 1;
      for (const look of waiting) look();
    },
    times: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (calls >= count) resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}

/** What a careless server might take an address for. */
function otherSpellings(uri: string): string[] {
  const spellings = [
    new URL(uri).href,
    uri.toLowerCase(),
    uri.toUpperCase(),
    decodeURI(uri),
    encodeURI(uri),
    `${uri}/`,
    uri.replace(/#.*/, ''),
    uri.replace(/\?.*/, ''),
    uri.replace(':443', ''),
  ];
  return [...new Set(spellings)].filter((spelling) => !BOOKMARKED.includes(spelling));
}

/** The names, or what `key` says, of the entries of a listing. */
function namesIn(answer: unknown, list: string, key = 'name'): unknown[] {
  const { result } = answer as { result: { [list: string]: { [key: string]: unknown }[] } };
  return result[list]!.map((entry) => entry[key]);
}
