import { expect } from '@esm-bundle/chai';
import {
  startRuntime,
  type Access,
  type DesktopHost,
  type DesktopRequest,
} from '@inpage-mcp/runtime';
import { deleteDatabase, freshDatabaseName } from '../support/database.js';
import { failureOf } from '../support/failure.js';
import { reportedErrors } from '../support/reported-errors.js';
import { nextEvent } from './next-event.js';
import { ask, askForLength, openSession, useDesktop } from './served-desktop.js';
import { itInAll } from '../support/it-in-all.js';

const GUEST = { read: 'all', write: 'deny', tools: 'none' };

describe('a desktop app', () => {
  const desktop = useDesktop();

  it('has a connection of its own, as a guest that may read', async () => {
    await desktop.page.runtime.notes.create({ title: 'Shared', text: 'a' });
    const logged = nextEvent(desktop.page.runtime, 'activity');
    const served = await desktop.connect();
    await openSession(desktop.hub, 1);
    expect(await desktop.page.probe.next('servePort')).to.deep.include({
      access: GUEST,
      limits: 'guest',
      holder: 'desktop:Claude Desktop',
    });
    const answer = await ask(desktop.hub, 1, 'resources/list');
    expect(answer).to.have.nested.property('result.resources[0].title', 'Shared');
    const [host] = served.hosts;
    expect(host).to.deep.include({ name: 'Claude Desktop', version: '1.2.3', access: GUEST });
    expect(desktop.hosts.at(-1)).to.deep.equal([host]);
    const { entries } = await logged;
    const [{ connection } = {}] = entries.filter(({ method }) => method === 'resources/list');
    expect(host!.connection).to.equal(connection);
  });

  it('gets what it has asked for, and no other app does', async () => {
    await desktop.connect();
    await openSession(desktop.hub, 1);
    await openSession(desktop.hub, 2, 'VS Code');
    const [one, two] = await Promise.all([
      ask(desktop.hub, 1, 'server/discover'),
      ask(desktop.hub, 2, 'resources/list'),
    ]);
    expect(one).to.have.nested.property('result.capabilities');
    expect(two).to.have.nested.property('result.resources');
  });

  it('is notified of a note that is written in the page', async () => {
    await desktop.connect();
    await openSession(desktop.hub, 1);
    const note = await desktop.page.runtime.notes.create({ title: 'Watched', text: 'a' });
    const uri = `note:///${note.id}`;
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const params = { notifications: { resourceSubscriptions: [uri] }, _meta };
    const request = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params };
    await desktop.hub.send('m', 1, request);
    const [, , acknowledged] = await desktop.hub.next('m');
    expect(acknowledged).to.have.property('method', 'notifications/subscriptions/acknowledged');
    await desktop.page.runtime.notes.update(note.id, { text: 'b' });
    const [, number, updated] = await desktop.hub.next('m');
    expect(number).to.equal(1);
    expect(updated).to.have.property('method', 'notifications/resources/updated');
  });

  it('may do what the page says, and is asked about by name', async () => {
    const requests: DesktopRequest[] = [];
    await desktop.connect({
      async access(request) {
        requests.push(request);
        await Promise.resolve();
        return { read: ['note:'], write: 'ask', tools: ['append_to_note'] };
      },
    });
    await openSession(desktop.hub, 1);
    expect((await desktop.page.probe.next('servePort'))['access']).to.deep.equal({
      read: ['note:'],
      write: 'ask',
      tools: ['append_to_note'],
    });
    expect(requests).to.have.length(1);
    expect(requests[0]).to.include({ name: 'Claude Desktop', version: '1.2.3' });
    await openSession(desktop.hub, 2);
    expect(requests).to.have.length(1);
    await openSession(desktop.hub, 3, 'VS Code');
    expect(requests.map(({ name }) => name)).to.deep.equal(['Claude Desktop', 'VS Code']);
  });

  it('has no say in how its name is shown', async () => {
    const served = await desktop.connect();
    await openSession(desktop.hub, 1, `a\n\u202Eb\u0000${'c'.repeat(200)}`);
    await openSession(desktop.hub, 2, '  ');
    await desktop.hub.send('open', 3, {});
    await desktop.hub.next('opened');
    const [first, second, third] = served.hosts;
    expect(first!.name)
      .to.match(/^a b c+$/)
      .and.to.have.length.within(90, 100);
    expect(second!.name).to.equal('Unnamed app');
    expect(third!.name).to.equal('Unnamed app');
  });

  it('is refused where the page says nothing, and asked about again after connect()', async () => {
    let asked = 0;
    const served = await desktop.connect({
      access() {
        asked += 1;
        return asked === 1 ? undefined : {};
      },
    });
    await desktop.hub.send('open', 1, { name: 'A' });
    expect(await desktop.hub.next('refused')).to.deep.equal(['refused', 1, 'refused']);
    await desktop.hub.send('open', 2, { name: 'A' });
    expect(await desktop.hub.next('refused')).to.deep.equal(['refused', 2, 'refused']);
    expect(asked).to.equal(1);
    expect(served.hosts).to.deep.equal([]);
    await served.connect();
    await desktop.hub.next('offer');
    await openSession(desktop.hub, 3, 'A');
    expect(asked).to.equal(2);
  });

  const wrong: [what: string, access: unknown][] = [
    ['is no access', 'all'],
    ['is none that the server knows', { read: 'some' }],
  ];
  for (const [what, access] of wrong) {
    it(`is refused where what it may do ${what}, and the page gets a report`, async () => {
      await desktop.connect({ access: () => access as Access });
      const errors = await reportedErrors(async () => {
        await desktop.hub.send('open', 1, { name: 'A' });
        expect(await desktop.hub.next('refused')).to.deep.equal(['refused', 1, 'refused']);
      });
      expect(errors).to.have.length(1);
      expect(errors[0]).to.include({ code: 'invalid-argument' });
    });
  }

  it('is refused where the page throws, and the page gets a report', async () => {
    await desktop.connect({
      access() {
        throw new Error('Who is that?');
      },
    });
    const errors = await reportedErrors(async () => {
      await desktop.hub.send('open', 1, { name: 'A' });
      await desktop.hub.next('refused');
    });
    expect(errors).to.have.nested.property('[0].message', 'Who is that?');
  });

  it('cannot be served with an access that is none', async () => {
    const serving = desktop.serve({ access: 'all' as never });
    expect(await failureOf(serving)).to.include({ code: 'invalid-argument' });
  });

  it('that ends while the user is asked withdraws the question, and the next is asked', async () => {
    const requests: DesktopRequest[] = [];
    await desktop.connect({
      access(request) {
        requests.push(request);
        return request.name === 'A' ? new Promise(() => undefined) : {};
      },
    });
    await desktop.hub.send('open', 1, { name: 'A' });
    await desktop.hub.send('open', 2, { name: 'B' });
    await desktop.hub.send('close', 1);
    expect(await desktop.hub.next('opened')).to.deep.equal(['opened', 2]);
    expect(requests.map(({ name }) => name)).to.deep.equal(['A', 'B']);
    expect(requests[0]!.signal.aborted).to.equal(true);
    expect(requests[1]!.signal.aborted).to.equal(false);
  });

  it('that ends frees its connection in the worker', async () => {
    const served = await desktop.connect();
    await openSession(desktop.hub, 1);
    await ask(desktop.hub, 1, 'resources/list');
    await desktop.hub.send('close', 1);
    await desktop.page.probe.next('closeConnection');
    expect(served.hosts).to.deep.equal([]);
    expect(desktop.hosts.at(-1)).to.deep.equal([]);
  });

  it('loses everything at once when the user revokes it, all of its name do, and no other', async () => {
    const served = await desktop.connect();
    await openSession(desktop.hub, 1);
    await openSession(desktop.hub, 2, 'VS Code');
    await openSession(desktop.hub, 3);
    const names = (list: readonly DesktopHost[]): string[] => list.map(({ name }) => name);
    served.revoke(served.hosts[0]!.id);
    expect(names(served.hosts)).to.deep.equal(['VS Code']);
    const revoked = [await desktop.hub.next('revoked'), await desktop.hub.next('revoked')];
    expect(revoked).to.have.deep.members([
      ['revoked', 1],
      ['revoked', 3],
    ]);
    await desktop.page.probe.next('closeConnection');
    await desktop.page.probe.next('closeConnection');
    // What it sends now reaches nobody; the other is served on.
    await desktop.hub.send('m', 1, { jsonrpc: '2.0', id: 1, method: 'resources/list' });
    expect(await ask(desktop.hub, 2, 'resources/list')).to.have.property('result');
    await desktop.hub.send('open', 4, { name: 'Claude Desktop' });
    expect(await desktop.hub.next('refused')).to.deep.equal(['refused', 4, 'refused']);
    served.revoke(12_345);
    expect(served.hosts).to.have.length(1);
    await served.connect();
    await openSession(desktop.hub, 5);
  });

  it('is not let in again by a lost connection when it was revoked', async () => {
    const served = await desktop.connect();
    await openSession(desktop.hub, 1);
    served.revoke(served.hosts[0]!.id);
    await desktop.hub.next('revoked');
    await desktop.hub.close(1001);
    await desktop.hub.next('hello');
    await desktop.until('connected');
    await desktop.hub.send('open', 1, { name: 'Claude Desktop' });
    expect(await desktop.hub.next('refused')).to.deep.equal(['refused', 1, 'refused']);
  });

  it('is offered again when the worker has died', async () => {
    const { runtime, workers } = desktop.page;
    await runtime.notes.create({ title: 'Kept', text: 'a' });
    let asked = 0;
    const served = await desktop.connect({
      access() {
        asked += 1;
        return {};
      },
    });
    await openSession(desktop.hub, 1);
    const restarted = nextEvent(runtime, 'restart');
    workers.kill();
    expect(await desktop.hub.next('close')).to.deep.equal(['close', 1]);
    expect(served.hosts).to.deep.equal([]);
    await openSession(desktop.hub, 2);
    await restarted;
    const answer = await ask(desktop.hub, 2, 'resources/list');
    expect(answer).to.have.nested.property('result.resources[0].title', 'Kept');
    expect(asked).to.equal(1);
  });

  it('gets `close` when the worker ends its connection', async () => {
    await desktop.connect();
    desktop.page.probe.ask('hang up');
    await desktop.page.probe.next('hang up');
    await desktop.hub.send('open', 1, { name: 'A' });
    expect(await desktop.hub.next('close')).to.deep.equal(['close', 1]);
  });

  it('is refused where there are 32', async () => {
    const served = await desktop.connect();
    for (let number = 1; number <= 32; number += 1)
      await openSession(desktop.hub, number, `App ${number}`);
    await desktop.hub.send('open', 33, { name: 'One more' });
    expect(await desktop.hub.next('refused')).to.deep.equal(['refused', 33, 'busy']);
    expect(served.hosts).to.have.length(32);
    await desktop.hub.send('close', 1);
    await openSession(desktop.hub, 34, 'One more');
  });

  itInAll('gets an error in the place of an answer of more than 64 MiB', async () => {
    (await desktop.connect()).stop();
    const databaseName = freshDatabaseName();
    const limits = { guest: { inlineBytes: Infinity } };
    const runtime = await startRuntime({ databaseName, limits });
    const { port } = desktop.hub;
    await runtime.serveDesktop({ port, access: {} });
    await desktop.hub.next('proof');
    // JSON has six characters for each of these: what is written is a sixth of what is sent.
    const text = (bytes: number): Blob => new Blob(['\u0001'.repeat(bytes / 6)]);
    await runtime.files.write('small.txt', text(63 * 1024 * 1024));
    await runtime.files.write('large.txt', text(64 * 1024 * 1024));
    await openSession(desktop.hub, 1);
    const answer = await ask(desktop.hub, 1, 'resources/read', { uri: 'file:///large.txt' });
    expect(answer).to.have.nested.property('error.message', 'The answer is too long.');
    const read = { uri: 'file:///small.txt' };
    const length = await askForLength(desktop.hub, 1, 'resources/read', read);
    expect(length).to.be.within(63 * 1024 * 1024, 64 * 1024 * 1024);
    await runtime.close();
    await deleteDatabase(databaseName);
  });

  it('cannot end the page with a message that is nested too deep', async () => {
    await desktop.connect();
    await openSession(desktop.hub, 1);
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    await desktop.hub.sendText(`[N, "m", 1, ${deep}]`);
    expect(await desktop.hub.next('close')).to.deep.equal(['close', 1]);
    await openSession(desktop.hub, 2);
    expect(await ask(desktop.hub, 2, 'resources/list')).to.have.property('result');
  });

  it('does nothing twice where a frame comes a second time', async () => {
    const access: Access = { read: 'all', write: 'allow', tools: 'all' };
    await desktop.connect({ access });
    await openSession(desktop.hub, 1);
    const call = { name: 'create_note', arguments: { title: 'Once', text: 'a' } };
    expect(await ask(desktop.hub, 1, 'tools/call', call)).to.have.property('result');
    await desktop.hub.repeat();
    expect(await desktop.hub.next('closed')).to.deep.equal(['closed', 4400]);
    await desktop.until('connected');
    expect((await desktop.page.runtime.notes.list()).notes).to.have.length(1);
  });

  it('is not asked about by the answer of a page whose bridge has gone', async () => {
    let letIn!: (access: Access) => void;
    const served = await desktop.connect({
      access: () => new Promise<Access>((resolve) => (letIn = resolve)),
    });
    await desktop.hub.send('open', 1, { name: 'A' });
    await desktop.hub.send('ping', 1);
    await desktop.hub.next('pong');
    await desktop.hub.close(1001);
    await desktop.hub.next('hello');
    await desktop.until('connected');
    letIn({});
    await desktop.hub.send('ping', 2);
    await desktop.hub.next('pong');
    expect(served.hosts).to.deep.equal([]);
  });
});
