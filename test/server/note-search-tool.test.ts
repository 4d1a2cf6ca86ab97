import { expect } from '@esm-bundle/chai';
import { MAX_QUERY_LENGTH, MAX_TAG_LENGTH } from '@inpage-mcp/store';
import { useLinkedServer } from '../support/linked-server.js';
import { toolsOf, type ToolCaller } from '../support/tool-caller.js';
import { leaveUnsearched } from '../support/unsearched.js';

interface Found {
  matches: { title: string; excerpt: string }[];
  total: number;
}

/** More than the store reads at a time. */
const MANY = 450;

describe('search_notes', () => {
  const linked = useLinkedServer();
  let tools: ToolCaller;

  beforeEach(() => {
    tools = toolsOf(linked);
  });

  const createMany = async (): Promise<void> => {
    const { notes } = linked.server.store;
    const all = Array.from({ length: MANY }, (_, n) => ({ title: `n${n}`, text: 'needle' }));
    await notes.createAll(all);
  };

  /** The searches of the connection that is opened next, which has a view of its own. */
  const searchesOfNextConnection = (): Promise<unknown>[] => {
    const { store } = linked.server;
    const within = store.within.bind(store);
    const searches: Promise<unknown>[] = [];
    store.within = (scope) => {
      const view = within(scope);
      const search = view.notes.search.bind(view.notes);
      view.notes.search = (...args) => {
        const searching = search(...args);
        searches.push(searching);
        return searching;
      };
      return view;
    };
    return searches;
  };

  it('finds a note of a clock that was wrong by thousands of years', async () => {
    const { now } = Date;
    Date.now = () => Date.UTC(12_000, 0);
    try {
      await linked.server.store.notes.create({ title: 'a', text: 'needle' });
    } finally {
      Date.now = now;
    }
    // In nanoseconds, of which no date can be made.
    const id = '01BX5ZZKBKACTAV9WEVGEMMVRZ';
    const times = { createdAt: 1, updatedAt: 1.7e18 };
    const note = { id, title: 'b', text: 'needle', tags: [], revision: 1, ...times };
    await linked.server.store.notes.restore(note as never);
    const { matches } = (await tools.data('search_notes', { query: 'needle' })) as unknown as Found;
    // The years of RFC 3339 have four digits.
    const moments = (matches as unknown as { updatedAt: string }[]).map((one) => one.updatedAt);
    expect(moments).to.deep.equal(Array(2).fill('9999-12-31T23:59:59.999Z'));
  });

  it('finds notes by all words, the best first, and says where they are', async () => {
    const { notes } = linked.server.store;
    const inTitle = await notes.create({ title: 'Milk', text: 'and eggs', tags: ['home'] });
    const inText = await notes.create({ title: 'b', text: 'eggs, then milk' });
    await notes.create({ title: 'c', text: 'milk only' });
    const query = { query: 'milk EGGS' };
    const { content, structuredContent } = await tools.call('search_notes', query);
    const found = [inTitle, inText].map(({ id, title, text, tags, revision, updatedAt }) => ({
      id,
      uri: `note:///${id}`,
      title,
      excerpt: text,
      tags,
      revision,
      updatedAt: new Date(updatedAt).toISOString(),
    }));
    expect(structuredContent).to.deep.equal({ matches: found, total: 2 });
    expect(content).to.deep.equal([{ type: 'text', text: JSON.stringify(structuredContent) }]);
  });

  it('finds only notes with a tag, where one is given', async () => {
    const { notes } = linked.server.store;
    await notes.create({ title: 'a', text: 'milk', tags: ['home'] });
    await notes.create({ title: 'b', text: 'milk', tags: ['homework'] });
    const { matches, total } = await tools.data<Found>('search_notes', {
      query: 'milk',
      tag: 'home',
    });
    expect(matches.map(({ title }) => title)).to.deep.equal(['a']);
    expect(total).to.equal(1);
  });

  it('finds nothing where there is nothing, and for a blank query', async () => {
    const none = { matches: [], total: 0 };
    expect(await tools.data('search_notes', { query: 'milk' })).to.deep.equal(none);
    expect(await tools.data('search_notes', { query: ' ' })).to.deep.equal(none);
  });

  it('gives 20 matches by default, at most 100, and counts all', async () => {
    await createMany();
    for (const [limit, expected] of [
      [undefined, 20],
      [1, 1],
      [100, 100],
    ] as const) {
      const args = { query: 'needle', limit };
      const { matches, total } = await tools.data<Found>('search_notes', args);
      expect(matches).to.have.length(expected);
      expect(total).to.equal(MANY);
    }
  });

  it('says how many notes could not be searched yet', async () => {
    leaveUnsearched(linked.server.store, 5);
    const found = await toolsOf(linked).data('search_notes', { query: 'needle' });
    expect(found).to.deep.equal({ matches: [], total: 0, unsearched: 5 });
  });

  it('refuses what is past its limits', async () => {
    const query = 'a';
    await tools.call('search_notes', { query: 'a'.repeat(MAX_QUERY_LENGTH) });
    await tools.call('search_notes', { query, tag: 'a'.repeat(MAX_TAG_LENGTH) });
    for (const [args, message] of [
      [{ query: 'a'.repeat(MAX_QUERY_LENGTH + 1) }, /query: .*1000/],
      [{ query: '' }, /query: /],
      [{ query, tag: 'a'.repeat(MAX_TAG_LENGTH + 1) }, /tag: .*100/],
      [{ query, limit: 0 }, /limit: .*1/],
      [{ query, limit: 101 }, /limit: .*100/],
      [{ query, limit: 1.5 }, /limit: .*int/],
    ] as const) {
      expect(await tools.failure('search_notes', args)).to.match(message);
    }
  });

  it('reports how far it is, more each time, before it answers', async () => {
    await createMany();
    const id = await tools.post(
      'search_notes',
      { query: 'needle' },
      { _meta: { progressToken: 7 } },
    );
    await tools.client.answerTo(id);
    const reports = tools.client
      .notifications('notifications/progress')
      .map(({ params }) => params);
    const done = reports.map((params) => params?.['progress'] as number);
    expect(reports.every((params) => params?.['progressToken'] === 7)).to.be.true;
    expect(reports.every((params) => params?.['total'] === MANY)).to.be.true;
    // One at the end, where the index has been faster; else one for each batch.
    expect(done.length).to.be.above(0);
    expect(done).to.deep.equal([...new Set(done)].toSorted((a, b) => a - b));
    expect(done.at(-1)).to.equal(MANY);
    const last = tools.client.received.at(-1);
    expect(last && 'id' in last && last.id).to.equal(id);
  });

  it('reports nothing of its progress to a client that does not ask', async () => {
    await createMany();
    await tools.call('search_notes', { query: 'needle' });
    expect(tools.client.notifications('notifications/progress')).to.deep.equal([]);
  });

  it('ends and answers nothing once it is cancelled', async () => {
    await createMany();
    const searches = searchesOfNextConnection();
    tools = toolsOf(linked);
    const id = await tools.post('search_notes', { query: 'needle' });
    tools.client.notify('notifications/cancelled', { requestId: id });
    await tools.call('search_notes', { query: 'needle' });
    const outcomes = await Promise.allSettled(searches);
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'fulfilled']);
    expect(tools.hasAnswered(id)).to.be.false;
  });
});
