import { MAX_RECORD_BYTES, type Remote } from '@inpage-mcp/sync';
import { couchdbRemote } from '@inpage-mcp/sync/couchdb';
import { expect } from '@open-wc/testing';
import { HostileServer, SyncServer, type HostileAnswer } from '../support/sync/sync-server.js';
import { codeOf, collect, remoteContract, withShortTimeouts } from './remote-contract.js';
import { until } from './until.js';

const authorization = `Basic ${btoa('user:secret')}`;
const { signal } = new AbortController();
const text = (bytes: Uint8Array | null | undefined): string | null | undefined =>
  bytes && new TextDecoder().decode(bytes);

/** The body of a request for documents. */
interface Keys {
  keys: string[];
}

describe('a remote of CouchDB', () => {
  let server: SyncServer;

  before(async () => {
    server = await SyncServer.couchdb();
  });

  const newUrl = (): string => `http://127.0.0.1:${server.port}/notes-${crypto.randomUUID()}`;

  remoteContract(async () => {
    const url = newUrl();
    return {
      connect: () => couchdbRemote({ url, headers: () => ({ authorization }) }),
      makeAnew: async () =>
        void (await fetch(url, { method: 'DELETE', headers: { authorization } })),
      backUp: () => server.backUp(),
      rollBack: () => server.rollBack(),
      kill: () => server.kill(),
      start: () => server.start(),
    };
  });

  it('is unauthorized with another password', async () => {
    const headers = async (): Promise<HeadersInit> => ({ authorization: 'Basic other' });
    const remote = couchdbRemote({ url: newUrl(), headers });
    expect(await codeOf(remote.state(signal))).to.equal('unauthorized');
    expect(await codeOf(remote.live(() => undefined, signal))).to.equal('unauthorized');
  });

  it('needs no right to make databases where an administrator has made it', async () => {
    const url = newUrl();
    const headers = (): HeadersInit => ({ authorization: `Basic ${btoa('member:secret')}` });
    expect(await codeOf(couchdbRemote({ url, headers }).state(signal))).to.equal('unauthorized');
    await fetch(url, { method: 'PUT', headers: { authorization } });
    const remote = couchdbRemote({ url, headers });
    expect((await remote.state(signal)).epoch).not.to.equal('');
    expect(await remote.put('a', new Uint8Array(1), '', signal)).not.to.equal('');
  });

  it('has another version for the same write in other circumstances', async () => {
    const versions = [];
    // A server that went back in time is such another one, and a revision is a digest.
    for (const url of [newUrl(), newUrl()]) {
      const remote = couchdbRemote({ url, headers: () => ({ authorization }) });
      await remote.state(signal);
      versions.push(await remote.put('a', new Uint8Array(1), '', signal));
    }
    expect(versions[0]).not.to.equal(versions[1]);
  });

  it('reads records that together are longer than an answer may be', async () => {
    const remote = couchdbRemote({ url: newUrl(), headers: () => ({ authorization }) });
    await remote.state(signal);
    // In base64, 24 MB.
    const names = Array.from({ length: 20 }, (_, i) => `name-${i}`);
    const bytes = new Uint8Array(900_000);
    for (const name of names) await remote.put(name, bytes, '', signal);
    const changes = await collect(remote.since('', signal));
    expect(changes.map(({ name }) => name)).to.deep.equal(names);
    for (const change of changes) expect(change.bytes).to.have.length(bytes.length);
  });

  describe('with many writes at once', () => {
    const COUNT = 200;
    let requests: string[];
    let remote: Remote;
    /** Answers instead of the server. */
    let answer: (path: string, body: string) => Response | undefined;

    beforeEach(async () => {
      requests = [];
      answer = () => undefined;
      remote = couchdbRemote({
        url: newUrl(),
        headers: () => ({ authorization }),
        fetch: async (input, init) => {
          const { pathname } = new URL(input as string);
          requests.push(pathname);
          return answer(pathname, init?.body as string) ?? (await fetch(input, init));
        },
      });
      await remote.state(signal);
      requests = [];
    });

    const put = async (name: string, expected = '', of = signal): Promise<string> =>
      await remote.put(name, new TextEncoder().encode(name), expected, of);
    const putAll = (): Promise<PromiseSettledResult<string>[]> =>
      Promise.allSettled(Array.from({ length: COUNT }, (_, i) => put(`n-${i}`)));

    it('needs few requests, and each has an outcome of its own', async () => {
      const before = await put('n-7');
      const outcomes = await putAll();
      expect(requests.length).to.be.below(10);
      const failed = outcomes.filter(({ status }) => status === 'rejected');
      expect(failed.map((one) => (one as { reason: { code: string } }).reason.code)).to.deep.equal([
        'conflict',
      ]);
      expect(outcomes[7]?.status).to.equal('rejected');
      const changes = await collect(remote.since('', signal));
      const written = new Map(changes.map((change) => [change.name, change]));
      expect(written.get('n-7')?.version).to.equal(before);
      for (const [index, outcome] of outcomes.entries()) {
        const record = written.get(`n-${index}`);
        expect(text(record?.bytes)).to.equal(`n-${index}`);
        if (outcome.status === 'fulfilled') expect(record?.version).to.equal(outcome.value);
      }
    });

    it('makes requests of at most some megabytes', async () => {
      const bytes = new Uint8Array(700_000);
      const versions = await Promise.all(
        Array.from({ length: 10 }, (_, i) => remote.put(`n-${i}`, bytes, '', signal)),
      );
      expect(new Set(versions).size).to.equal(10);
      expect(requests.length).to.be.within(4, 10);
    });

    it('writes them one by one on a server that takes no group', async () => {
      answer = (path) =>
        path.endsWith('/_bulk_docs') ? new Response('{}', { status: 413 }) : undefined;
      const outcomes = await putAll();
      expect(outcomes.every(({ status }) => status === 'fulfilled')).to.equal(true);
      expect(await collect(remote.since('', signal))).to.have.length(COUNT);
    });

    it('reads them where a server gives only a few at once, and says so in a short body', async () => {
      await putAll();
      requests = [];
      answer = (path, body) => {
        const isLarge = path.endsWith('/_all_docs') && (JSON.parse(body) as Keys).keys.length > 3;
        return isLarge ? new Response('', { status: 413 }) : undefined;
      };
      expect(await collect(remote.since('', signal))).to.have.length(COUNT);
      // A third of the requests is refused: one, two and four records are asked for in turn.
      expect(requests.length).to.be.below(COUNT * 1.2);
    });

    it('fails with what the server says of the group', async () => {
      answer = (path) =>
        path.endsWith('/_bulk_docs') ? new Response('{}', { status: 401 }) : undefined;
      const outcomes = await putAll();
      const codes = outcomes.map((one) => (one as { reason?: { code: string } }).reason?.code);
      // The first goes alone.
      expect(codes.slice(1).every((code) => code === 'unauthorized')).to.equal(true);
      expect(requests.length).to.be.below(10);
      expect(await put('later')).not.to.equal('');
    });

    it('ends one, and not the others, by its signal', async () => {
      const controller = new AbortController();
      const all = putAll();
      const one = codeOfAbort(put('one', '', controller.signal));
      controller.abort();
      expect(await one).to.equal('AbortError');
      expect((await all).every(({ status }) => status === 'fulfilled')).to.equal(true);
    });
  });

  it('gives its connections back when nobody listens any more', async () => {
    // A browser has six to a server.
    const remote = couchdbRemote({ url: newUrl(), headers: () => ({ authorization }) });
    await remote.state(signal);
    for (let round = 0; round < 3; round += 1) {
      const controller = new AbortController();
      const listening = Array.from({ length: 5 }, () =>
        codeOfAbort(remote.live(() => undefined, controller.signal)),
      );
      await remote.state(signal);
      controller.abort();
      expect(new Set(await Promise.all(listening))).to.deep.equal(new Set(['AbortError']));
    }
    await remote.state(signal);
  });

  describe('of nodes that have accepted writes apart', () => {
    let url: string;
    let remote: Remote;

    const post = (path: string, body: unknown): Promise<Response> =>
      fetch(url + path, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });

    /** Writes a revision beside others, as replication does. */
    async function accept(name: string, revision: string, fields: object): Promise<void> {
      const docs = [{ _id: `r-${name}`, _rev: revision, ...fields }];
      await post('/_bulk_docs', { docs, new_edits: false });
    }

    beforeEach(async () => {
      url = newUrl();
      remote = couchdbRemote({ url, headers: () => ({ authorization }) });
      await remote.state(signal);
    });

    it('has the others beside the one that has won, until a write has merged them', async () => {
      await accept('a', `1-${'a'.repeat(32)}`, { bytes: btoa('first') });
      await accept('a', `1-${'c'.repeat(32)}`, { bytes: btoa('third') });
      await accept('a', `1-${'b'.repeat(32)}`, { bytes: btoa('second') });
      const [change, ...others] = await collect(remote.since('', signal));
      expect(others).to.deep.equal([]);
      expect(text(change?.bytes)).to.equal('third');
      expect(change?.rivals?.map(text).toSorted()).to.deep.equal(['first', 'second']);
      const record = await remote.get('a', signal);
      expect(record).to.deep.include({ version: change?.version, rivals: change?.rivals });
      const bytes = new TextEncoder().encode('all');
      const version = await remote.put('a', bytes, change?.version ?? '', signal);
      expect(await remote.get('a', signal)).to.deep.equal({ version, bytes });
      const [merged] = await collect(remote.since(change?.position ?? '', signal));
      expect(merged).to.deep.include({ version, bytes });
      expect(merged).not.to.have.property('rivals');
    });

    it('keeps those that the writer has not seen', async () => {
      await accept('a', `1-${'c'.repeat(32)}`, { bytes: btoa('third') });
      const { version = '' } = (await remote.get('a', signal)) ?? {};
      await accept('a', `1-${'b'.repeat(32)}`, { bytes: btoa('second') });
      const [change] = await collect(remote.since('', signal));
      expect(change?.rivals?.map(text)).to.deep.equal(['second']);
      await remote.put('a', new TextEncoder().encode('third, edited'), version, signal);
      const record = await remote.get('a', signal);
      expect(text(record?.bytes)).to.equal('third, edited');
      expect(record?.rivals?.map(text)).to.deep.equal(['second']);
    });

    it('takes an edit beside a deletion', async () => {
      await accept('a', `1-${'c'.repeat(32)}`, { deleted: true });
      await accept('a', `1-${'b'.repeat(32)}`, { bytes: btoa('second') });
      const [change] = await collect(remote.since('', signal));
      expect(change?.bytes).to.equal(null);
      expect(change?.rivals?.map(text)).to.deep.equal(['second']);
    });

    it('knows what an administrator has deleted', async () => {
      const version = await remote.put('a', new Uint8Array(1), '', signal);
      await fetch(`${url}/r-a?rev=${version}`, { method: 'DELETE', headers: { authorization } });
      const [change] = await collect(remote.since('', signal));
      expect(change).to.deep.include({ name: 'a', bytes: null });
      expect(change?.version).not.to.equal(version);
    });

    it('leaves out documents of others', async () => {
      const ids = ['other', 'r-a.b', 'r-', `r-${'a'.repeat(2_000)}`];
      await post('/_bulk_docs', { docs: ids.map((_id) => ({ _id })) });
      expect(await collect(remote.since('', signal))).to.deep.equal([]);
      expect(await collect(remote.list(signal))).to.deep.equal([]);
    });

    it('has no bytes for malformed documents, and goes on', async () => {
      await accept('a', `1-${'c'.repeat(32)}`, { bytes: btoa('first') });
      await accept('a', `1-${'b'.repeat(32)}`, { bytes: 1 });
      await post('/_bulk_docs', { docs: [{ _id: 'r-b' }, { _id: 'r-c', bytes: '***' }] });
      await post('/_bulk_docs', { docs: [{ _id: 'p-a' }] });
      await remote.put('d', new TextEncoder().encode('last'), '', signal);
      const changes = await collect(remote.since('', signal));
      expect(changes.map(({ bytes }) => text(bytes))).to.deep.equal(['first', '', '', 'last']);
      expect(changes[0]?.rivals?.map(text)).to.deep.equal(['']);
      expect((await remote.get('b', signal))?.bytes).to.have.length(0);
      expect(await remote.pieces.get('a', signal)).to.have.length(0);
    });
  });
});

describe('a remote of a server that is none of CouchDB', () => {
  const epoch = 'GET /notes/inpage-mcp-sync';
  const database = 'GET /notes';
  const changes = 'GET /notes/_changes';
  const documents = 'POST /notes/_all_docs';
  const json = (body: unknown): HostileAnswer => ({ body: JSON.stringify(body) });
  const revision = `1-${'a'.repeat(32)}`;
  const row = (seq: unknown, id = 'r-a'): object => ({ seq, id, changes: [{ rev: revision }] });
  const found = (doc: object, id = 'r-a'): HostileAnswer =>
    json({ rows: [{ id, value: { rev: revision }, doc: { _id: id, _rev: revision, ...doc } }] });
  let server: HostileServer;
  let remote: Remote;

  before(async () => {
    server = await HostileServer.open();
    remote = couchdbRemote({ url: `http://127.0.0.1:${server.port}/notes` });
  });

  const calls: Record<string, () => Promise<unknown>> = {
    state: () => remote.state(signal),
    since: () => collect(remote.since('', signal)),
    get: () => remote.get('a', signal),
    put: () => remote.put('a', new Uint8Array(1), '', signal),
    list: () => collect(remote.list(signal)),
    live: () => remote.live(() => undefined, signal),
    'pieces.get': () => remote.pieces.get('a', signal),
    'pieces.has': () => remote.pieces.has(['a'], signal),
    'pieces.delete': () => remote.pieces.delete([{ name: 'a' }], signal),
  };

  for (const [what, answer] of Object.entries<HostileAnswer>({
    'a page for people': { body: '<!doctype html><title>Log in</title>' },
    nothing: {},
    null: { body: 'null' },
    'a list': { body: '[]' },
    'an object of others': { body: '{"__proto__":{"rev":"1-a"},"constructor":1}' },
    'other types': json({
      update_seq: {},
      epoch: 1,
      results: [{ seq: [] }],
      rows: [{ id: 1, value: { rev: 1 } }],
      rev: 'a',
      bytes: 1,
    }),
    'what never ends': { how: 'endless' },
  }))
    it(`takes ${what} for no answer`, async () => {
      await server.answer({ '*': answer });
      for (const [name, call] of Object.entries(calls))
        expect(await codeOf(call()), name).to.equal('invalid');
    });

  it('takes an answer that breaks off for a server that fails, as in WebKit it looks', async () => {
    for (const body of ['\n\n', '{"results":[\n', '{"results":[{"seq":"1-}', '{"a":{"b":"\\"}"}']) {
      await server.answer({ '*': { body } });
      for (const [name, call] of Object.entries(calls))
        expect(await codeOf(call()), `${name}: ${body}`).to.equal('unavailable');
    }
  });

  for (const [status, code] of [
    [400, 'invalid'],
    [401, 'unauthorized'],
    [403, 'unauthorized'],
    [413, 'invalid'],
    [429, 'unavailable'],
    [500, 'unavailable'],
    [502, 'unavailable'],
    [507, 'full'],
  ] as const)
    it(`says ${code} where the status is ${status}`, async () => {
      await server.answer({ '*': { status, body: 'Sorry.' } });
      for (const [name, call] of Object.entries(calls))
        expect(await codeOf(call()), name).to.equal(code);
    });

  it('is full where the server says so in words', async () => {
    await server.answer({ '*': { status: 500, body: '{"error":"enospc"}' } });
    expect(await codeOf(remote.put('a', null, '', signal))).to.equal('full');
  });

  it('is unavailable where the server never answers', async () => {
    await server.answer({ '*': { how: 'never' } });
    await withShortTimeouts(async () => {
      for (const [name, call] of Object.entries(calls))
        expect(await codeOf(call()), name).to.equal('unavailable');
    });
  });

  it('ends at once with its signal, also where the server never answers', async () => {
    await server.answer({ '*': { how: 'never' } });
    const controller = new AbortController();
    const ended = Promise.allSettled([
      remote.state(controller.signal),
      collect(remote.since('', controller.signal)),
      remote.put('a', null, '', controller.signal),
      remote.live(() => undefined, controller.signal),
      remote.pieces.get('a', controller.signal),
    ]);
    await until(async () => (await server.requests()).length >= 5);
    const reason = new Error('enough');
    controller.abort(reason);
    for (const result of await ended) expect(result).to.deep.equal({ status: 'rejected', reason });
  });

  it('asks again where nothing changes for a long time', async () => {
    const controller = new AbortController();
    let notices = 0;
    await withShortTimeouts(async () => {
      await server.answer({ [database]: json({ update_seq: 1 }), [changes]: { how: 'never' } });
      const listening = remote.live(() => (notices += 1), controller.signal).catch(() => 'ended');
      const polls = async (): Promise<number> =>
        (await server.requests()).filter((request) => request === changes).length;
      await until(async () => (await polls()) >= 2);
      // The first notice is about changes since the call.
      expect(notices).to.equal(1);
      await server.answer({ [database]: json({ update_seq: 2 }), [changes]: { how: 'never' } });
      await until(() => notices > 1);
      controller.abort();
      expect(await listening).to.equal('ended');
    });
  });

  it('does not believe changes in another order', async () => {
    for (const rows of [
      [row(2), row(1)],
      [row(1), row(1)],
      [row(2), row('1-abc')],
    ]) {
      await server.answer({
        [database]: json({ update_seq: 9 }),
        [changes]: json({ results: rows }),
      });
      expect(await codeOf(collect(remote.since('', signal)))).to.equal('unavailable');
    }
  });

  it('does not go on for ever', async () => {
    const results = Array.from({ length: 1_000 }, (_, i) => row(i + 1, 'other'));
    await server.answer({ [database]: json({ update_seq: 1e12 }), [changes]: json({ results }) });
    expect(await codeOf(collect(remote.since('', signal)))).to.equal('unavailable');
    const rows = Array.from({ length: 1_000 }, () => ({ id: 'r-a', value: { rev: revision } }));
    await server.answer({ '*': json({ rows }) });
    expect(await codeOf(collect(remote.list(signal)))).to.equal('invalid');
  });

  it('takes no document for another, and none that is older than its change', async () => {
    const older = json({ rows: [{ id: 'r-a', value: { rev: `1-${'b'.repeat(32)}` }, doc: {} }] });
    for (const [answer, code] of [
      [found({ bytes: 'YQ==' }, 'r-b'), 'unavailable'],
      [older, 'unavailable'],
      [json({ rows: [{ key: 'r-a', error: 'not_found' }] }), 'unavailable'],
      [found({ _id: 'r-b', bytes: 'YQ==' }), 'invalid'],
      [found({ bytes: '***' }), 'no error'],
      [found({ bytes: 'YQ==' }), 'no error'],
    ] as const) {
      await server.answer({
        [database]: json({ update_seq: 1 }),
        [changes]: json({ results: [row(1)] }),
        [documents]: answer,
      });
      expect(await codeOf(collect(remote.since('', signal)))).to.equal(code);
    }
  });

  it('takes records of up to a megabyte', async () => {
    const get = 'GET /notes/r-a';
    const document = (length: number): HostileAnswer =>
      json({ _id: 'r-a', _rev: revision, bytes: btoa('a'.repeat(length)) });
    await server.answer({ [get]: document(MAX_RECORD_BYTES) });
    expect((await remote.get('a', signal))?.bytes).to.have.length(MAX_RECORD_BYTES);
    await server.answer({ [get]: document(MAX_RECORD_BYTES + 1) });
    expect((await remote.get('a', signal))?.bytes).to.have.length(0);
  });

  it('does not take the database of another for its own', async () => {
    await server.answer({ [epoch]: json({ epoch: 'e'.repeat(101) }) });
    expect(await codeOf(remote.state(signal))).to.equal('invalid');
    await server.answer({
      [epoch]: json({ epoch: 'e'.repeat(100) }),
      [database]: json({ update_seq: '12-abc' }),
    });
    const state = { epoch: 'e'.repeat(100), position: '12-abc', changes: 12 };
    expect(await remote.state(signal)).to.deep.equal(state);
  });
});

/** The name of the error that a promise is rejected with. */
const codeOfAbort = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no error',
    (error: unknown) => (error instanceof Error ? error.name : 'no error'),
  );
