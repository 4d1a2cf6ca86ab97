import { expect } from '@esm-bundle/chai';
// Internal to the package: what it costs shows only where nothing else costs more.
import { ActivityLog } from '../../packages/server/src/activity-log.js';
import { RequestJournal } from '../../packages/server/src/request-journal.js';
import { undisturbed } from '../support/slowness.js';

describe('the journal of a connection', () => {
  let log: ActivityLog;
  let journal: RequestJournal;

  beforeEach(() => {
    log = new ActivityLog();
    journal = new RequestJournal(log, 1, 'page');
  });

  const read = (id: number, uri: string): void =>
    journal.received({ jsonrpc: '2.0', id, method: 'resources/read', params: { uri } });
  const refuse = (id: number): void =>
    journal.sent({ jsonrpc: '2.0', id, error: { code: -32602, message: 'no' } });
  const outcomes = (): string[] =>
    log.entries.toReversed().map(({ method, outcome }) => `${method} ${outcome}`);

  it('tells which requests asked for what was denied', () => {
    read(1, 'a:b');
    read(2, 'a:c');
    journal.received({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'a:b' } });
    journal.denied('a:b');
    read(4, 'a:b');
    for (const id of [1, 2, 3, 4]) refuse(id);
    expect(outcomes()).to.deep.equal([
      'resources/read denied',
      'resources/read refused',
      'tools/call denied',
      'resources/read refused',
    ]);
  });

  it('lets go of a request whose id comes again before it has ended', () => {
    for (let turn = 0; turn < 3; turn += 1) read(1, `a:${turn}`);
    refuse(1);
    expect(outcomes()).to.deep.equal([
      'resources/read cancelled',
      'resources/read cancelled',
      'resources/read refused',
    ]);
    // Nothing is left of the first two: this is not about them.
    journal.denied('a:0');
    expect(outcomes().at(-1)).to.equal('access denied');
  });

  it('takes what no open request names for something that was denied under way', () => {
    read(1, 'a:b');
    refuse(1);
    journal.denied('a:b');
    expect(outcomes()).to.deep.equal(['resources/read refused', 'access denied']);
  });

  it('takes any number of denials, of one uri or of many', () => {
    const COUNT = 20_000;
    for (const uriOf of [() => 'a:b', (id: number) => `a:${id}`]) {
      for (let id = 0; id < COUNT; id += 1) read(id, uriOf(id));
      const start = performance.now();
      for (let id = 0; id < COUNT; id += 1) {
        journal.denied(uriOf(id));
        refuse(id);
      }
      // In some seconds where each looks through all that are open.
      expect(undisturbed(performance.now() - start, 1_000)).to.be.below(1_000);
      expect(log.entries.every(({ outcome }) => outcome === 'denied')).to.equal(true);
      expect(log.entries.every(({ method }) => method === 'resources/read')).to.equal(true);
    }
  });

  it('cuts what is longer than one can read', () => {
    for (const length of [200, 201]) {
      read(length, 'x'.repeat(length));
      refuse(length);
    }
    const [longer, kept] = log.entries.map(({ uri }) => uri);
    expect(kept).to.equal('x'.repeat(200));
    expect(longer).to.equal(`${'x'.repeat(200)}…`);
  });
});
