import { expect } from '@esm-bundle/chai';
// Internal to the package: what it costs shows only where nothing else costs more.
import { ActivityLog } from '../../packages/server/src/activity/activity-log.js';
import { RequestJournal } from '../../packages/server/src/activity/request-journal.js';
import { leastTime } from '../support/slowness.js';

describe('the journal of a connection', () => {
  let log: ActivityLog;
  let journal: RequestJournal;

  beforeEach(() => {
    log = new ActivityLog();
    journal = new RequestJournal(log, 1, 'page');
  });

  type LoggedCall = Parameters<RequestJournal['began']>[0];

  const begin = (method: string, params: LoggedCall['params']): LoggedCall => {
    const call = { method, params };
    journal.began(call);
    return call;
  };
  const read = (uri: string): LoggedCall => begin('resources/read', { uri });
  const refuse = (call: LoggedCall): void =>
    journal.ended(call, { jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'no' } });
  const outcomes = (): string[] =>
    log.entries.toReversed().map(({ method, outcome }) => `${method} ${outcome}`);

  it('reports which requests asked for what was denied', () => {
    const calls = [read('a:b'), read('a:c'), begin('tools/call', { name: 'a:b' })];
    journal.addDenial('a:b');
    calls.push(read('a:b'));
    for (const call of calls) refuse(call);
    expect(outcomes()).to.deep.equal([
      'resources/read denied',
      'resources/read refused',
      'tools/call denied',
      'resources/read refused',
    ]);
  });

  it('lets go of a request that ends without an answer', () => {
    const [last, ...others] = [2, 1, 0].map((turn) => read(`a:${turn}`));
    for (const call of others) journal.ended(call, undefined);
    refuse(last!);
    expect(outcomes()).to.deep.equal([
      'resources/read cancelled',
      'resources/read cancelled',
      'resources/read refused',
    ]);
    // Nothing is left of the other two: this is not about them.
    journal.addDenial('a:0');
    expect(outcomes().at(-1)).to.equal('access denied');
  });

  it('takes what no open request names for something that was denied under way', () => {
    refuse(read('a:b'));
    journal.addDenial('a:b');
    expect(outcomes()).to.deep.equal(['resources/read refused', 'access denied']);
  });

  it('records a stream when it is opened, and not again when it ends', () => {
    for (const ending of [undefined, { jsonrpc: '2.0', id: 1, result: {} }] as const) {
      const stream = begin('subscriptions/listen', {});
      expect(outcomes()).to.deep.equal([]);
      journal.opened(stream);
      expect(outcomes()).to.deep.equal(['subscriptions/listen ok']);
      journal.ended(stream, ending);
      expect(outcomes()).to.deep.equal(['subscriptions/listen ok']);
      log.clear();
    }
  });

  it('takes any number of denials, of one uri or of many', async () => {
    const COUNT = 20_000;
    for (const uriOf of [() => 'a:b', (id: number) => `a:${id}`]) {
      const least = await leastTime(1_000, () => {
        const calls = Array.from({ length: COUNT }, (_, id) => read(uriOf(id)));
        for (const [id, call] of calls.entries()) {
          journal.addDenial(uriOf(id));
          refuse(call);
        }
      });
      // In some seconds where each looks through all that are open.
      expect(least).to.be.below(1_000);
      expect(log.entries.every(({ outcome }) => outcome === 'denied')).to.equal(true);
      expect(log.entries.every(({ method }) => method === 'resources/read')).to.equal(true);
    }
  });

  it('cuts what is longer than one can read', () => {
    for (const length of [200, 201]) refuse(read('x'.repeat(length)));
    const [longer, kept] = log.entries.map(({ uri }) => uri);
    expect(kept).to.equal('x'.repeat(200));
    expect(longer).to.equal(`${'x'.repeat(200)}…`);
  });
});
