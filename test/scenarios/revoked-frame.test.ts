import { expect } from '@esm-bundle/chai';
import { startRuntime, type Runtime, type ServedFrame } from '@inpage-mcp/runtime';
import { deleteDatabase, freshDatabaseName } from '../support/database.js';
import { failureOf } from '../support/failure.js';
import { secondOrigin } from '../support/second-origin.js';
import { openGuest, removeFrames, type Guest, type GuestError } from '../transport/guest-frame.js';
import { eventually, soon } from '../support/within.js';

const parentOrigin = location.origin;

/** Does it again and again, until it fails; resolves with the failure. */
const untilFailure = (run: () => Promise<unknown>): Promise<GuestError> =>
  eventually(() =>
    run().then(
      () => undefined,
      (error: unknown) => error as GuestError,
    ),
  );

describe('a frame whose access is taken away while it uses it', () => {
  let databaseName: string;
  let runtime: Runtime;
  let frames: ServedFrame[];
  let guest: Guest;
  let other: Guest;
  let kept: string;
  let taken: string;

  beforeEach(async () => {
    databaseName = freshDatabaseName();
    runtime = await startRuntime({ databaseName });
    kept = `note:///${(await runtime.notes.create({ title: 'kept', text: 'k' })).id}`;
    taken = `note:///${(await runtime.notes.create({ title: 'taken', text: 't' })).id}`;
    frames = [];
    await runtime.serveFrames({
      allowedOrigins: [secondOrigin],
      limits: 'page',
      onconnect: (frame) => frames.push(frame),
    });
    const url = `${secondOrigin}/test/fixtures/scenario-frame.html`;
    ({ guest } = await openGuest(url));
    ({ guest: other } = await openGuest(url));
    await guest.do('connect', { parentOrigin });
    await guest.do('list');
    await other.do('connect', { parentOrigin });
    await other.do('list');
  });

  afterEach(async () => {
    removeFrames();
    await runtime.close();
    await deleteDatabase(databaseName);
  });

  it('reads, lists and watches what it may, and from that moment nothing else', async () => {
    await guest.do('watch', { uri: taken });
    await guest.do('watchList');
    const refused = untilFailure(() => guest.do('read', { uri: taken }));
    const listed = eventually(async () => !(await guest.do<string[]>('list')).includes('taken'));
    await frames[0]!.setAccess({ read: [kept] });
    const { message } = await refused;
    await listed;

    // In the words for what does not exist.
    const nothing = failureOf(guest.do('read', { uri: taken.slice(0, -1) }));
    const plain = (text: string): string => text.replaceAll(/note:\/\/\/\w+/g, 'note:///…');
    expect(plain(message)).to.equal(plain(((await nothing) as GuestError).message));

    expect(await guest.do('read', { uri: kept })).to.equal('k');
    expect(await guest.do('list')).to.deep.equal(['kept']);
    const updates = await guest.do<string[]>('updates');
    await runtime.notes.update(taken.slice('note:///'.length), { text: 'secret' });
    await runtime.notes.update(kept.slice('note:///'.length), { text: 'open' });
    expect(await guest.do('read', { uri: kept })).to.equal('open');
    const laterUpdates = (await guest.do<string[]>('updates')).slice(updates.length);
    expect(laterUpdates).not.to.include(taken);
    expect(await guest.do('states')).to.deep.equal([]);
  });

  it('leaves other frames of the same origin what they have', async () => {
    await other.do('watch', { uri: taken });
    await frames[0]!.setAccess({ read: [] });
    expect(await guest.do('list')).to.deep.equal([]);
    expect(await other.do('list')).to.include.members(['kept', 'taken']);
    await runtime.notes.update(taken.slice('note:///'.length), { text: 'two' });
    await soon('the other is notified', other.do('updates', { count: 1 }));
    expect(await other.do('read', { uri: taken })).to.equal('two');
  });

  it('may see again what it is given back', async () => {
    await frames[0]!.setAccess({ read: [] });
    expect(await failureOf(guest.do('read', { uri: taken }))).to.have.property('message');
    await frames[0]!.setAccess({ read: 'all' });
    expect(await guest.do('read', { uri: taken })).to.equal('t');
  });

  it('gets what any frame gets when it connects again', async () => {
    await frames[0]!.setAccess({ read: [] });
    frames[0]!.close();
    await guest.do('state', { is: 'open' });
    expect(await guest.do('read', { uri: taken })).to.equal('t');
  });
});
