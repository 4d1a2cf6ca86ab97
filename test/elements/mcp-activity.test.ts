import { expect, fixture, html } from '@open-wc/testing';
import type { McpClient } from '@inpage-mcp/client';
import '@inpage-mcp/elements/define/mcp-activity';
import { setLanguage } from '@inpage-mcp/elements/localize';
import { files, notes, runtimeResources } from '@inpage-mcp/server';
import type {
  McpActivity,
  McpRevertEvent,
  McpRevokeEvent,
} from '@inpage-mcp/elements/define/mcp-activity';
import { deleteDatabase, freshDatabaseName } from '../support/database.js';
import { eventually, inside } from '../support/elements.js';
import { openLinkedServer, type LinkedServer } from '../support/linked-server.js';
import { leastTime } from '../support/slowness.js';

const wordsOf = (element: Element): string =>
  element
    .textContent!.replaceAll(/[\u2068\u2069]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
const rowsOf = (element: McpActivity): HTMLElement[] => [
  ...element.shadowRoot!.querySelectorAll<HTMLElement>('[role=listitem]'),
];
const sentencesOf = (element: McpActivity): string[] =>
  [...element.shadowRoot!.querySelectorAll('.sentence')].map(wordsOf);
const namesOf = (element: McpActivity): string[] =>
  [...element.shadowRoot!.querySelectorAll('h3')].map(wordsOf);

async function show(client: unknown, more: Partial<McpActivity> = {}): Promise<McpActivity> {
  return await fixture<McpActivity>(
    html`<mcp-activity
      .client=${client as McpClient}
      .describeClient=${more.describeClient}
      .canRevert=${more.canRevert ?? false}
    ></mcp-activity>`,
  );
}

/** A client whose log is what a test says. */
function clientWith(log: unknown, state: McpClient['state'] = 'open'): McpClient {
  const text = typeof log === 'string' ? log : JSON.stringify(log);
  return {
    state,
    watch: () => undefined,
    watchList: () => undefined,
    watchState: () => undefined,
    listResources: () => Promise.resolve({ resources: [] }),
    readResource: (uri: string) => Promise.resolve({ contents: [{ uri, text }] }),
  } as never;
}

const entry = (secondsAgo: number, connection: number, more: object): object => ({
  time: new Date(Date.now() - 1_000 * secondsAgo).toISOString(),
  connection,
  method: 'resources/read',
  outcome: 'ok',
  durationMs: 1,
  ...more,
});

const change = (secondsAgo: number, number: number, more: object): object => ({
  number,
  time: new Date(Date.now() - 1_000 * secondsAgo).toISOString(),
  type: 'updated',
  uri: 'note:///A',
  title: 'Shopping',
  revert: 'possible',
  ...more,
});

/** Where these words are; they may be cut off there. */
function placeOf(element: Element, words: string): DOMRect {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode as Text;
    const start = text.data.indexOf(words);
    if (start < 0) continue;
    const range = document.createRange();
    range.setStart(text, start);
    range.setEnd(text, start + words.length);
    return range.getBoundingClientRect();
  }
  throw new Error(`There is no “${words}”.`);
}

async function choose(element: McpActivity, selector: string, value: string): Promise<void> {
  const select = inside(element, selector) as HTMLSelectElement;
  select.value = value;
  select.dispatchEvent(new Event('change'));
  await element.updateComplete;
}

describe('<mcp-activity>, with the real server,', () => {
  let linked: LinkedServer;
  let client: McpClient;
  let other: McpClient;

  beforeEach(async () => {
    linked = await openLinkedServer(freshDatabaseName(), {
      providers: [notes(), files(), runtimeResources()],
    });
    client = await linked.connect();
    other = await linked.connect();
  });

  afterEach(async () => {
    await Promise.all([client.close(), other.close()]);
    await linked.server.close();
    await deleteDatabase(linked.databaseName);
  });

  it('shows what another client does, as soon as it has done it, by title', async () => {
    const { id } = await linked.server.store.notes.create({ title: 'Shopping', text: 'milk' });
    const element = await show(client);
    await eventually(() => element.shadowRoot!.querySelector('.message'));
    await other.readResource(`note:///${id}`);
    await eventually(() => sentencesOf(element).includes('Read “Shopping”'));
    await other.callTool('update_note', { id, title: 'Food' });
    await eventually(() => sentencesOf(element).includes('Changed “Food”'));
    await other.callTool('append_to_note', { id, text: 'bread' });
    await other.callTool('append_to_note', { id, text: 'rice' });
    await other.callTool('create_note', { title: '', text: '' });
    await other.callTool('save_file', { path: 'a/b c.txt', text: 'x' });
    await other.callTool('delete_note', { id });
    await eventually(() => sentencesOf(element).includes('Deleted “Food”'));
    expect(sentencesOf(element)).to.include.members([
      'Changed “Food” (2 ×)',
      'Created a note',
      'Saved “b c.txt”',
    ]);
    expect(namesOf(element)).to.deep.equal(['Connection 2']);
  });

  it('shows what happened while it was not in the page', async () => {
    const element = await show(client);
    await eventually(() => element.shadowRoot!.querySelector('.message'));
    const parent = element.parentElement!;
    element.remove();
    await other.readResource('inpage:///storage');
    parent.append(element);
    await eventually(() => sentencesOf(element).includes('Read “Storage”'));
  });

  it('puts repeated reads into one sentence', async () => {
    for (let count = 0; count < 12; count += 1) {
      const { id } = await linked.server.store.notes.create({ title: `${count}`, text: '' });
      await other.readResource(`note:///${id}`);
    }
    const element = await show(client);
    await eventually(() => sentencesOf(element).includes('Read notes: 12'));
    expect(sentencesOf(element)).to.have.length(1);
  });

  it('does not read the log because of its own reads', async () => {
    const element = await show(client);
    await eventually(() => element.shadowRoot!.querySelector('.message'));
    await other.readResource('inpage:///storage');
    await eventually(() => sentencesOf(element).length > 0);
    const reads = async (): Promise<number> => {
      const { contents } = await other.readResource('inpage:///activity');
      const { text } = contents[0] as { text: string };
      return text.split('inpage:///activity').length;
    };
    const before = await reads();
    // Longer than the shortest time between two reads of the element.
    const until = performance.now() + 600;
    await eventually(() => performance.now() > until);
    expect(await reads()).to.equal(before + 1);
  });

  it('says so if the server has no log', async () => {
    const foreign = await openLinkedServer();
    const without = await foreign.connect();
    const element = await show(without);
    await eventually(() => element.shadowRoot!.querySelector('slot[name=unsupported]'));
    expect(wordsOf(inside(element, '.message'))).to.equal(
      'This server keeps no log of its clients.',
    );
    await expect(element).to.be.accessible();
    await without.close();
    await foreign.server.close();
    await deleteDatabase(foreign.databaseName);
  });
});

describe('<mcp-activity>', () => {
  it('groups by client and time, the newest first, under the names that the page gives', async () => {
    const entries = [
      entry(5, 1, { uri: 'file:///a/report.txt' }),
      entry(6, 2, { method: 'tools/call', name: 'save_file' }),
      entry(7, 1, { uri: 'app://selection', outcome: 'denied' }),
      entry(900, 1, { method: 'tools/call', name: 'delete_note', outcome: 'asked' }),
    ];
    const element = await show(clientWith({ entries }), {
      describeClient: (connection) => (connection === 1 ? { name: 'This page' } : undefined),
    });
    await eventually(() => rowsOf(element).length === 7);
    expect(
      rowsOf(element)
        .map(wordsOf)
        .map((words) => words.replace(/ \d+:\d+.*$/, '')),
    ).to.deep.equal([
      'This page now',
      'Read “report.txt”',
      'Wanted to read “app://selection” Not allowed',
      'Connection 2 now',
      'Saved a file',
      'This page 15 minutes ago',
      'Wanted to use the tool “delete_note” Asked the user',
    ]);
  });

  it('says how many denials the log has removed', async () => {
    const denied = (seconds: number, uri: string, omitted?: unknown): object =>
      entry(seconds, 1, { uri, outcome: 'denied', omitted });
    const entries = [denied(1, 'a:b'), denied(2, 'a:c', 1_200), denied(900, 'a:d', 'many')];
    const element = await show(clientWith({ entries }));
    await eventually(() => sentencesOf(element).length === 2);
    expect(sentencesOf(element)).to.deep.equal([
      'Wanted to read resources: 2',
      'Wanted to read “a:d”',
    ]);
    const outcomes = [...element.shadowRoot!.querySelectorAll('.outcome')].map(wordsOf);
    expect(outcomes).to.deep.equal(['Not allowed (others: 1,200)', 'Not allowed']);
  });

  it('filters by kind and by client', async () => {
    const entries = [
      entry(1, 1, { method: 'resources/list' }),
      entry(2, 1, { uri: 'inpage:///activity' }),
      entry(3, 2, { uri: 'a:b', outcome: 'refused' }),
      entry(4, 2, { method: 'tools/call', name: 'x' }),
    ];
    const element = await show(clientWith({ entries }));
    await eventually(() => sentencesOf(element).length === 2);
    await choose(element, 'select', 'all');
    expect(sentencesOf(element)).to.have.length(4);
    await choose(element, 'select + select', '2');
    expect(namesOf(element)).to.deep.equal(['Connection 2']);
    await choose(element, 'select', 'refused');
    expect(sentencesOf(element)).to.deep.equal(['Wanted to read “a:b”']);
    await choose(element, 'select + select', '1');
    expect(wordsOf(inside(element, '.message'))).to.equal('Nothing matches the filters.');
  });

  it('shows the clients of a log again when it is another log', async () => {
    const entries = [entry(1, 1, { uri: 'a:b' }), entry(2, 2, { uri: 'a:c' })];
    const first = clientWith({ entries });
    const element = await show(first);
    await eventually(() => sentencesOf(element).length === 2);
    await choose(element, 'select + select', '2');
    expect(namesOf(element)).to.deep.equal(['Connection 2']);
    // The server may start again, and give the numbers to others.
    Object.assign(first, { state: 'reconnecting' });
    element.requestUpdate();
    await element.updateComplete;
    const select = inside(element, 'select + select') as HTMLSelectElement;
    expect(select.value).to.equal('');
    expect(sentencesOf(element)).to.have.length(2);
    await choose(element, 'select + select', '2');
    expect(namesOf(element), 'while it reconnects').to.deep.equal(['Connection 2']);
    element.client = clientWith({ entries: [entry(1, 5, { uri: 'a:d' })] });
    await eventually(() => sentencesOf(element).includes('Read “a:d”'));
    expect(element.shadowRoot!.querySelector('select + select')).to.equal(null);
  });

  it('lets the user take off the filter of a client that is no longer in the log', async () => {
    const log = { entries: [entry(1, 1, { uri: 'a:b' }), entry(2, 2, { uri: 'a:c' })] };
    const client = clientWith(log);
    client.readResource = ((uri: string) =>
      Promise.resolve({ contents: [{ uri, text: JSON.stringify(log) }] })) as never;
    const element = await show(client);
    await eventually(() => sentencesOf(element).length === 2);
    await choose(element, 'select + select', '2');
    log.entries.pop();
    element.retry();
    await eventually(() => sentencesOf(element).length === 0);
    const select = inside(element, 'select + select') as HTMLSelectElement;
    expect(select.value).to.equal('2');
    expect([...select.options].map(wordsOf)).to.deep.equal([
      'All clients',
      'Connection 1',
      'Connection 2',
    ]);
    await choose(element, 'select + select', '');
    expect(sentencesOf(element)).to.deep.equal(['Read “a:b”']);
    expect(element.shadowRoot!.querySelector('select + select')).to.equal(null);
  });

  it('offers 100 clients as a filter, and no more', async () => {
    for (const count of [100, 101]) {
      const entries = Array.from({ length: count }, (_, at) => entry(at, at + 1, { uri: 'a:b' }));
      const element = await show(clientWith({ entries }));
      await eventually(() => sentencesOf(element).length > 0);
      const options = inside(element, 'select + select').querySelectorAll('option');
      // And that of all clients.
      expect(options).to.have.length(101);
    }
  });

  it('ends the access of a client if the page does, and shows the result', async () => {
    const element = await show(clientWith({ entries: [entry(1, 7, { uri: 'a:b' })] }), {
      describeClient: () => ({ name: 'The frame', isRevocable: true }),
    });
    const button = await eventually(() =>
      element.shadowRoot!.querySelector<HTMLElement>('h3 ~ button'),
    );
    button.click();
    await eventually(() => wordsOf(inside(element, '[role=status]')) !== '');
    expect(wordsOf(inside(element, '[role=status]'))).to.equal(
      'The page has not ended the access.',
    );
    element.addEventListener('mcp-revoke', (event: McpRevokeEvent) => {
      expect(event.connection).to.equal(7);
      event.respondWith(Promise.resolve());
    });
    button.click();
    await eventually(() => element.shadowRoot!.querySelector('.revoked'));
    expect(element.shadowRoot!.querySelector('h3 ~ button')).to.equal(null);
    expect(wordsOf(inside(element, '[role=status]'))).to.equal('Access ended: The frame');
  });

  it('does not say of another client that its access has ended', async () => {
    const entries = [entry(1, 7, { uri: 'a:b' })];
    const options = { describeClient: () => ({ name: 'The frame', isRevocable: true }) };
    const element = await show(clientWith({ entries }), options);
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    element.addEventListener('mcp-revoke', (event) => event.respondWith(ended));
    const button = (): HTMLElement | null => element.shadowRoot!.querySelector('h3 ~ button');
    (await eventually(button)).click();
    await element.updateComplete;
    element.client = clientWith({ entries });
    await element.updateComplete;
    end();
    await ended;
    await eventually(button);
    await element.updateComplete;
    expect(element.shadowRoot!.querySelector('.revoked')).to.equal(null);
  });

  it('shows in the colour of errors that the access has not ended', async () => {
    const entries = [entry(1, 7, { uri: 'a:b', outcome: 'failed' })];
    const element = await show(clientWith({ entries }), {
      describeClient: () => ({ name: 'The frame', isRevocable: true }),
    });
    (await eventually(() => element.shadowRoot!.querySelector<HTMLElement>('h3 ~ button'))).click();
    const note = inside(element, '[role=status]');
    await eventually(() => note.textContent !== '');
    const colour = getComputedStyle(inside(element, '.outcome.failed')).color;
    expect(getComputedStyle(note).color).to.equal(colour);
    await expect(element).to.be.accessible();
    element.addEventListener('mcp-revoke', (event) => event.respondWith(Promise.resolve()));
    inside(element, 'h3 ~ button').click();
    await eventually(() => element.shadowRoot!.querySelector('.revoked'));
    expect(getComputedStyle(note).color).not.to.equal(colour);
    await expect(element).to.be.accessible();
  });

  it('shows no button where the page cannot end the access', async () => {
    const element = await show(clientWith({ entries: [entry(1, 7, { uri: 'a:b' })] }));
    await eventually(() => rowsOf(element).length > 0);
    expect(element.shadowRoot!.querySelector('button')).to.equal(null);
  });

  describe('what clients have changed', () => {
    const call = { method: 'tools/call', name: 'append_to_note' };
    const undoes = (element: McpActivity): HTMLElement[] => [
      ...element.shadowRoot!.querySelectorAll<HTMLElement>('button.revert'),
    ];

    it('is shown with its request, and without where there is none any more', async () => {
      const entries = [entry(10, 1, { ...call, uri: 'note:///A', title: 'Shopping' })];
      const changes = [
        change(9, 7, { connection: 1, by: 'Assistant' }),
        change(5_000, 6, { by: 'Assistant', type: 'deleted', title: 'Plan' }),
        change(5_001, 5, {
          by: 'Assistant',
          type: 'moved',
          uri: 'file:///a/b.txt',
          title: undefined,
        }),
        change(9_000, 4, { type: 'created' }),
        change(9_900, 3, { type: 'unknown' }),
      ];
      const element = await show(clientWith({ entries, changes }));
      await eventually(() => sentencesOf(element).length === 4);
      expect(sentencesOf(element)).to.deep.equal([
        'Changed “Shopping”',
        'Deleted “Plan”',
        'Moved “b.txt”',
        'Created “Shopping”',
      ]);
      expect(namesOf(element)).to.deep.equal(['Assistant', 'Assistant', 'An earlier client']);
      expect(wordsOf(inside(element, 'p.note'))).to.equal('Entries that cannot be shown: 1');
      // The page has not said that it undoes anything.
      expect(undoes(element)).to.have.length(0);
    });

    it('is undone by the page, the newest first, and read again', async () => {
      const entries = [
        entry(10, 1, { ...call, uri: 'note:///A', title: 'Shopping' }),
        entry(20, 1, { ...call, uri: 'note:///A', title: 'Shopping' }),
      ];
      const changes = [8, 7].map((number) => change(17 - number, number, { connection: 1 }));
      const log: { entries: object[]; changes: object[] } = { entries, changes };
      const client = clientWith(log);
      client.readResource = ((uri: string) =>
        Promise.resolve({ contents: [{ uri, text: JSON.stringify(log) }] })) as never;
      const element = await show(client, { canRevert: true });
      await eventually(() => undoes(element).length === 1);
      expect(undoes(element)[0]!.ariaLabel).to.match(/^Undo: Changed/);
      await expect(element).to.be.accessible();
      undoes(element)[0]!.click();
      const note = inside(element, '[role=status]');
      await eventually(() => wordsOf(note) === 'The page has not undone it.');
      element.addEventListener('mcp-revert', (event: McpRevertEvent) => {
        expect(event.changes).to.deep.equal([8, 7]);
        log.changes = changes.map((one) => ({ ...one, revert: 'done' }));
        event.respondWith(Promise.resolve());
      });
      undoes(element)[0]!.click();
      await eventually(() => wordsOf(note) === 'Undone: Changed “Shopping” (2 ×)');
      await eventually(() => element.shadowRoot!.querySelector('.revoked'));
      expect(undoes(element)).to.have.length(0);
      await expect(element).to.be.accessible();
    });

    it('is that of the client that has made it, also where another was faster', async () => {
      const entries = [2, 1].map((connection) =>
        entry(30 - connection, connection, { ...call, uri: 'note:///A', title: 'Shopping' }),
      );
      const changes = [change(1, 8, { connection: 1 }), change(2, 7, { connection: 2 })];
      const element = await show(clientWith({ entries, changes }), { canRevert: true });
      const asked: unknown[] = [];
      element.addEventListener('mcp-revert', (event) => {
        asked.push(event.changes);
        event.preventDefault();
      });
      await eventually(() => undoes(element).length === 2);
      for (const undo of undoes(element)) undo.click();
      expect(asked).to.deep.equal([[7], [8]]);
    });

    it('is found by an address that the log has cut, and names its client', async () => {
      const uri = `file:///${'%C3%A9'.repeat(100)}.txt`;
      const saved = { method: 'tools/call', name: 'save_file', uri: `${uri.slice(0, 200)}…` };
      const element = await show(
        clientWith({
          entries: [entry(10, 1, saved)],
          changes: [change(9, 1, { connection: 1, by: 'Assistant', uri })],
        }),
        { canRevert: true },
      );
      await eventually(() => undoes(element).length === 1);
      expect(rowsOf(element)).to.have.length(2);
      expect(namesOf(element)).to.deep.equal(['Assistant']);
    });

    it('goes on with what is left where only a part could be undone', async () => {
      const entries = [entry(10, 1, { ...call, uri: 'note:///A', title: 'Shopping' })];
      const changes = [3, 2].map((number) => change(9 - number, number, { connection: 1 }));
      const log = { entries, changes };
      const client = clientWith(log);
      client.readResource = ((uri: string) =>
        Promise.resolve({ contents: [{ uri, text: JSON.stringify(log) }] })) as never;
      const element = await show(client, { canRevert: true });
      const asked: unknown[] = [];
      element.addEventListener('mcp-revert', (event) => {
        asked.push(event.changes);
        log.changes = [change(6, 3, { connection: 1, revert: 'done' }), changes[1]!];
        event.respondWith(Promise.reject(new Error('It was changed since.')));
      });
      (await eventually(() => undoes(element)[0])).click();
      await eventually(() => wordsOf(inside(element, '[role=status]')) === 'It was changed since.');
      await eventually(() => !undoes(element)[0]!.matches(':disabled'));
      undoes(element)[0]!.click();
      await eventually(() => asked.length === 2);
      expect(asked).to.deep.equal([[3, 2], [2]]);
    });

    it('stays with its button, and the reason, where it cannot be undone', async () => {
      const changes = [
        change(1, 3, {}),
        change(2, 2, { uri: 'note:///B', revert: 'impossible' }),
        change(3, 1, { uri: 'note:///C', revert: 'done' }),
      ];
      const element = await show(clientWith({ entries: [], changes }), { canRevert: true });
      await eventually(() => sentencesOf(element).length === 3);
      expect(undoes(element)).to.have.length(1);
      expect(element.shadowRoot!.querySelectorAll('.revoked')).to.have.length(1);
      element.addEventListener('mcp-revert', (event) =>
        event.respondWith(Promise.reject(new Error('It was changed since.'))),
      );
      undoes(element)[0]!.click();
      await eventually(() => wordsOf(inside(element, '[role=status]')) === 'It was changed since.');
      expect(undoes(element)).to.have.length(1);
    });
  });

  describe('in a language from right to left', () => {
    before(async () => {
      await setLanguage('ar');
    });
    after(async () => {
      await setLanguage('en');
    });

    for (const [what, name] of [
      ['', `Beginning of ${'a long name '.repeat(10)}`],
      [', also in the same direction', `بداية ${'اسم طويل '.repeat(10)}`],
    ] as const)
      it(`shows the beginning of a long name in a sentence${what}`, async () => {
        const element = await show(
          clientWith({ entries: [entry(1, 1, { method: 'prompts/get', name })] }),
        );
        element.dir = 'rtl';
        element.style.inlineSize = '320px';
        await eventually(() => sentencesOf(element).length === 1);
        const sentence = inside(element, '.sentence');
        const { left, right } = sentence.getBoundingClientRect();
        for (const words of ['استخدم', name.split(' ', 1)[0]!]) {
          const place = placeOf(sentence, words);
          expect(place.left, words).to.be.at.least(left);
          expect(place.right, words).to.be.at.most(right);
        }
        for (const words of sentence.querySelectorAll('span.one-line')) {
          const needed = placeOf(words, words.textContent).width;
          expect(words.getBoundingClientRect().width).to.be.closeTo(needed, 0.02);
        }
        await expect(element).to.be.accessible();
      });
  });

  it('draws only the rows in sight of 1,000 entries, in a moment', async () => {
    const entries = Array.from({ length: 1_000 }, (_, index) =>
      entry(index * 120, 1, { uri: `app://${index}` }),
    );
    let element!: McpActivity;
    const least = await leastTime(400, async () => {
      element = await show(clientWith({ entries }));
      await eventually(() => rowsOf(element).length > 0);
    });
    expect(least).to.be.below(400);
    expect(rowsOf(element).length).to.be.within(10, 60);
    expect(rowsOf(element)[0]!.ariaSetSize).to.equal('2000');
    const list = inside(element, '[role=list]');
    list.scrollTop = list.scrollHeight;
    await eventually(() => sentencesOf(element).includes('Read “app://999”'));
  });

  for (const [what, log] of [
    ['no JSON', '{"entries": ['],
    ['no log', '{"entries": 7}'],
    ['null', 'null'],
    ['a log that is too long', 'x'.repeat(3_000_000)],
  ] as const) {
    it(`shows an error with a button to try again for ${what}`, async () => {
      const element = await show(clientWith(log));
      await eventually(() => element.shadowRoot!.querySelector('[role=alert] button'));
      await expect(element).to.be.accessible();
    });
  }

  it('is accessible when nothing has happened, and when nothing matches the filters', async () => {
    const element = await show(clientWith({ entries: [] }));
    await eventually(() => element.shadowRoot!.querySelector('slot[name=empty]'));
    await expect(element).to.be.accessible();
    element.client = clientWith({ entries: [entry(1, 1, { uri: 'a:b' })] });
    await eventually(() => rowsOf(element).length > 0);
    await choose(element, 'select', 'refused');
    expect(wordsOf(inside(element, '.message'))).to.equal('Nothing matches the filters.');
    await expect(element).to.be.accessible();
  });

  it('shows what can be shown of a log with entries of the wrong types, as text', async () => {
    const evil = '\u202E<img src=x onerror="globalThis.broken = true">';
    const wrong = [
      null,
      7,
      'text',
      {},
      entry(1, 1.5, {}),
      entry(1, 1, { outcome: {} }),
      { time: [] },
    ];
    const good = entry(1, 1, { uri: evil, name: { a: 1 }, method: 'resources/read' });
    const element = await show(clientWith({ entries: [...wrong, good] }));
    await eventually(() => sentencesOf(element).length === 1);
    expect(wordsOf(inside(element, 'p.note'))).to.equal('Entries that cannot be shown: 7');
    expect(sentencesOf(element)[0]).to.contain('<img src=x').and.not.contain('\u202E');
    expect(element.shadowRoot!.querySelector('img')).to.equal(null);
    expect(globalThis).to.not.have.property('broken');
  });

  it('says that the connection has ended, with what was shown before, and no button', async () => {
    const element = await show(clientWith({ entries: [entry(1, 1, { uri: 'a:b' })] }, 'closed'), {
      describeClient: () => ({ name: 'The frame', isRevocable: true }),
    });
    await eventually(() => rowsOf(element).length > 0);
    expect(wordsOf(inside(element, '.remark'))).to.contain('The connection has ended.');
    expect(element.shadowRoot!.querySelector('button')).to.equal(null);
  });

  for (const scheme of ['light', 'dark'] as const) {
    it(`is accessible, ${scheme}`, async () => {
      const entries = [
        entry(1, 1, { uri: 'a:b', outcome: 'denied' }),
        entry(2, 2, { method: 'tools/call', name: 'x', outcome: 'asked' }),
      ];
      const element = await show(clientWith({ entries }), {
        describeClient: (connection) => ({ name: `Frame ${connection}`, isRevocable: true }),
      });
      element.style.colorScheme = scheme;
      await eventually(() => rowsOf(element).length === 4);
      await expect(element).to.be.accessible();
    });
  }

  it('watches nothing after it was removed', async () => {
    const watching = new Set<AbortSignal>();
    const watch = (signal: AbortSignal): void => {
      watching.add(signal);
      signal.addEventListener('abort', () => watching.delete(signal));
    };
    const client = Object.assign(clientWith({ entries: [] }), {
      watch: (_uri: string, _listener: unknown, options: { signal: AbortSignal }) =>
        watch(options.signal),
      watchList: (_listener: unknown, options: { signal: AbortSignal }) => watch(options.signal),
    });
    const activity = await show(client);
    expect(watching.size).to.equal(2);
    const parent = activity.parentElement!;
    activity.remove();
    activity.requestUpdate();
    await activity.updateComplete;
    expect(watching.size).to.equal(0);
    parent.append(activity);
    await activity.updateComplete;
    expect(watching.size).to.equal(2);
  });
});
