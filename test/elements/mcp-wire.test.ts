import { expect, fixture, html } from '@open-wc/testing';
import '@inpage-mcp/elements/define/mcp-wire';
import type { McpWire } from '@inpage-mcp/elements/define/mcp-wire';
import { WireRecorder } from '@inpage-mcp/elements/wire-recorder';
import { eventually, expectFocus, inside } from '../support/elements.js';
import { leastTime } from '../support/slowness.js';
import { changeOf, recordedPeer, type RecordedPeer } from './recorded-peer.js';

const result = (id: unknown, value: object = {}): object => ({ jsonrpc: '2.0', id, result: value });

const rowsOf = (element: McpWire): HTMLElement[] => [
  ...element.shadowRoot!.querySelectorAll<HTMLElement>('[role=option]'),
];
const wordsOf = (element: Element): string =>
  element
    .textContent!.replaceAll(/[\u2068\u2069]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
const linesOf = (element: McpWire): string[] => rowsOf(element).map(wordsOf);
const press = (element: McpWire, key: string, more: KeyboardEventInit = {}): boolean =>
  inside(element, '[role=listbox]').dispatchEvent(
    new KeyboardEvent('keydown', { key, cancelable: true, bubbles: true, ...more }),
  );

async function show(recorder: WireRecorder): Promise<McpWire> {
  const element = await fixture<McpWire>(
    html`<mcp-wire style="block-size: 400px" .recorder=${recorder}></mcp-wire>`,
  );
  await element.updateComplete;
  return element;
}

/** Some messages of every kind. */
async function recordAll(peer: RecordedPeer): Promise<void> {
  await peer.transport.start();
  peer.request(1, 'server/discover');
  peer.deliver(result(1));
  peer.request(2, 'resources/read', { uri: 'note:///1' });
  peer.deliver(result(2, { contents: [{ uri: 'note:///1', text: 'Buy milk.' }] }));
  peer.request(3, 'resources/read', { uri: 'note:///gone' });
  peer.deliver({ jsonrpc: '2.0', id: 3, error: { code: -32602, message: 'Not found' } });
  peer.deliver({
    jsonrpc: '2.0',
    method: 'notifications/resources/updated',
    params: { uri: 'x:1' },
  });
  peer.request(4, 'tools/call', { name: 'create_note', arguments: {} });
  await changeOf(peer.recorder);
}

async function choose(element: McpWire, selector: string, value: string): Promise<void> {
  const field = inside(element, selector) as HTMLInputElement;
  field.value = value;
  field.dispatchEvent(new Event(field.localName === 'select' ? 'change' : 'input'));
  await element.updateComplete;
}

describe('<mcp-wire>', () => {
  it('shows a request with its answer as one line', async () => {
    const peer = recordedPeer();
    await recordAll(peer);
    const element = await show(peer.recorder);
    await eventually(() => rowsOf(element).length === 6);
    const [opened, discover, read, failed, notification, open] = linesOf(element);
    expect(opened).to.equal('Connection opened #1');
    expect(discover).to.match(/^sent server\/discover OK [\d.]+ ms \d+ bytes$/);
    expect(read).to.match(/^sent resources\/read note:\/\/\/1 OK [\d.]+ ms \d+ bytes$/);
    expect(failed).to.match(/^sent resources\/read note:\/\/\/gone error -32602 /);
    expect(notification).to.match(/^received notifications\/resources\/updated x:1 \d+ bytes$/);
    expect(open).to.match(/^sent tools\/call create_note waiting/);
  });

  it('shows what is about a request in its line, but alone where lines are filtered', async () => {
    const peer = recordedPeer();
    const element = await show(peer.recorder);
    const notify = (method: string, params: object): void =>
      peer.deliver({ jsonrpc: '2.0', method: `notifications/${method}`, params });
    const _meta = { 'io.modelcontextprotocol/subscriptionId': 1 };
    peer.request(1, 'subscriptions/listen');
    notify('subscriptions/acknowledged', { _meta });
    notify('resources/updated', { _meta, uri: 'note:///1' });
    peer.request(2, 'tools/call', { name: 'import', _meta: { progressToken: 2 } });
    notify('progress', { progressToken: 2, progress: 1 });
    notify('progress', { progressToken: 3, progress: 1 });
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled' } as const;
    await peer.transport.send({ ...cancelled, params: { requestId: 1 } });
    peer.deliver(result(2));
    await changeOf(peer.recorder);
    await element.updateComplete;
    const lines = linesOf(element);
    expect(lines.map((line) => line.split(' ')[1])).to.deep.equal([
      'subscriptions/listen',
      'notifications/resources/updated',
      'tools/call',
      'notifications/progress',
    ]);
    expect(lines[0]).to.contain('3 messages').and.to.contain('cancelled');
    expect(lines[2]).to.contain('3 messages').and.to.contain('OK');
    rowsOf(element)[0]!.click();
    await element.updateComplete;
    const names = [...element.shadowRoot!.querySelectorAll('.details h4')].map(wordsOf);
    expect(names).to.deep.equal([
      'Request',
      'notifications/subscriptions/acknowledged',
      'notifications/cancelled',
    ]);
    await choose(element, 'select', 'notifications/cancelled');
    expect(linesOf(element)).to.have.length(1);
  });

  it('moves through the lines with the keyboard, opens the details with Enter, closes them with Escape', async () => {
    const peer = recordedPeer();
    await recordAll(peer);
    const element = await show(peer.recorder);
    const tree = inside(element, '[role=listbox]');
    press(element, 'Home');
    press(element, 'ArrowDown');
    press(element, 'ArrowDown');
    press(element, 'Enter');
    await element.updateComplete;
    expect(tree.getAttribute('aria-activedescendant')).to.equal(rowsOf(element)[2]!.id);
    const printed = [...element.shadowRoot!.querySelectorAll('pre')].map(wordsOf);
    expect(printed[0]).to.contain('"method": "resources/read"');
    expect(printed[1]).to.contain('"text": "Buy milk."');
    press(element, 'ArrowDown');
    await element.updateComplete;
    expect(wordsOf(inside(element, '.reason'))).to.equal('Not found');
    press(element, 'Escape');
    await element.updateComplete;
    expect(element.shadowRoot!.querySelector('.details')).to.equal(null);
    expectFocus(element, tree);
  });

  it('filters by method and by errors, and says when nothing is left', async () => {
    const peer = recordedPeer();
    await recordAll(peer);
    const element = await show(peer.recorder);
    await choose(element, 'select', 'resources/read');
    expect(rowsOf(element)).to.have.length(2);
    inside(element, '[type=checkbox]').click();
    await element.updateComplete;
    expect(linesOf(element).join()).to.contain('-32602').and.not.contain('note:///1 ');
    await choose(element, 'select', 'tools/call');
    expect(wordsOf(inside(element, '.message'))).to.contain('No line matches the filters.');
    await expect(element).to.be.accessible();
    inside(element, '.message button').click();
    await element.updateComplete;
    expect(rowsOf(element)).to.have.length(6);
  });

  it('offers 100 methods as a filter, and no more', async () => {
    for (const count of [100, 101]) {
      const peer = recordedPeer();
      await peer.transport.start();
      for (let id = 1; id <= count; id += 1) peer.request(id, `method/${id}`);
      await changeOf(peer.recorder);
      const element = await show(peer.recorder);
      await eventually(() => rowsOf(element).length > 0);
      // And that of all methods.
      expect(inside(element, 'select').querySelectorAll('option')).to.have.length(101);
    }
  });

  it('finds a text in the contents of the messages, in any case', async () => {
    const peer = recordedPeer();
    await recordAll(peer);
    const element = await show(peer.recorder);
    await choose(element, '.search', 'buy MILK');
    await eventually(() => rowsOf(element).length === 1);
    expect(linesOf(element)[0]).to.contain('note:///1');
  });

  it('keeps the details of a line that is dropped', async () => {
    const peer = recordedPeer({ maxEntries: 10 });
    peer.request(1, 'resources/read', { uri: 'note:///first' });
    await changeOf(peer.recorder);
    const element = await show(peer.recorder);
    rowsOf(element)[0]!.click();
    for (let id = 2; id < 30; id += 1) peer.request(id, 'tools/list');
    await changeOf(peer.recorder);
    await element.updateComplete;
    expect(linesOf(element).join()).to.not.contain('note:///first');
    expect(wordsOf(inside(element, 'pre'))).to.contain('note:///first');
  });

  it('shows the lines of another recorder, and no details of the one before', async () => {
    const peer = recordedPeer();
    await recordAll(peer);
    const element = await show(peer.recorder);
    rowsOf(element)[1]!.click();
    await element.updateComplete;
    const next = recordedPeer();
    next.deliver({ jsonrpc: '2.0', method: 'other' });
    element.recorder = next.recorder;
    await element.updateComplete;
    expect(linesOf(element)).to.have.length(1);
    expect(element.shadowRoot!.querySelector('.details')).to.equal(null);
  });

  it('says that nothing is recorded, and that there is no message yet', async () => {
    const empty = await fixture<McpWire>(html`<mcp-wire></mcp-wire>`);
    expect(wordsOf(inside(empty, '.message'))).to.equal('No messages are recorded.');
    await expect(empty).to.be.accessible();
    empty.recorder = new WireRecorder();
    await empty.updateComplete;
    expect(wordsOf(inside(empty, '.message'))).to.equal('No messages yet.');
    await expect(empty).to.be.accessible();
  });

  it('draws only the rows in sight of 10,000, at most ten times a second, the newest in sight', async () => {
    const peer = recordedPeer();
    const element = await show(peer.recorder);
    let renders = 0;
    new MutationObserver(() => (renders += 1)).observe(element.shadowRoot!, {
      childList: true,
      characterData: true,
      subtree: true,
    });
    const start = performance.now();
    let id = 0;
    while (performance.now() - start < 1_000) {
      for (let count = 0; count < 1_000; count += 1) {
        id += 1;
        peer.request(id, 'resources/read', { uri: `note:///${id}` });
        peer.deliver(result(id));
      }
      await new Promise(requestAnimationFrame);
    }
    id += 1;
    peer.request(id, 'resources/read', { uri: `note:///${id}` });
    await eventually(() => linesOf(element).at(-1)?.includes(`note:///${id} `));
    expect(rowsOf(element).length).to.be.below(60);
    // timed: the slower the machine, the more there may be.
    expect(renders).to.be.within(1, 2 * (performance.now() - start) * 0.01 + 4);
  });

  it('keeps the line in sight that the user looks at, while newer ones arrive', async () => {
    const peer = recordedPeer({ maxEntries: 500 });
    for (let id = 0; id < 500; id += 1)
      peer.request(id, 'resources/read', { uri: `note:///${id}` });
    await changeOf(peer.recorder);
    const element = await show(peer.recorder);
    await eventually(() => linesOf(element).at(-1)?.includes('note:///499'));
    const tree = inside(element, '[role=listbox]');
    tree.scrollTop -= 3_000;
    await eventually(() => !linesOf(element).at(-1)?.includes('note:///499'));
    const topOf = (): string | undefined => {
      const { top } = tree.getBoundingClientRect();
      const first = rowsOf(element).find((row) => row.getBoundingClientRect().top >= top - 1);
      return first && wordsOf(first);
    };
    const before = topOf();
    for (let id = 500; id < 520; id += 1)
      peer.request(id, 'resources/read', { uri: `note:///${id}` });
    await changeOf(peer.recorder);
    await element.updateComplete;
    expect(topOf()).to.equal(before);
    tree.focus();
    press(element, 'End');
    await eventually(() => linesOf(element).at(-1)?.includes('note:///519'));
  });

  it('shows a part of a message of 10 MB, and more on demand, without stopping the page', async () => {
    const peer = recordedPeer();
    peer.request(1, 'resources/read', { uri: 'file:///large' });
    peer.deliver(result(1, { contents: [{ uri: 'file:///large', text: 'x'.repeat(10_000_000) }] }));
    await changeOf(peer.recorder);
    const element = await show(peer.recorder);
    const click = async (): Promise<void> => {
      rowsOf(element)[0]!.click();
      await element.updateComplete;
    };
    const least = await leastTime(100, async () => {
      if (element.shadowRoot!.querySelector('.details')) await click();
      await click();
      expect(inside(element, '.details').offsetHeight).to.be.above(0);
    });
    expect(least).to.be.below(100);
    const lengthOf = (): number =>
      [...element.shadowRoot!.querySelectorAll('pre')].at(-1)!.textContent!.length;
    expect(lengthOf()).to.be.below(10_000);
    inside(element, '.rest button').click();
    await element.updateComplete;
    expect(lengthOf()).to.be.within(8_200, 40_000);
  });

  it('shows the strings of a server as they are: no element of them, no turned direction', async () => {
    const peer = recordedPeer();
    const evil = '\u202Egnp.exe<img src=x onerror="globalThis.broken = true">';
    peer.deliver({ jsonrpc: '2.0', method: evil, params: { uri: evil, [evil]: evil } });
    await changeOf(peer.recorder);
    const element = await show(peer.recorder);
    rowsOf(element)[0]!.click();
    await element.updateComplete;
    const text = inside(element, '.frame').textContent!;
    expect(text).to.not.contain('\u202E');
    expect(text).to.contain(String.raw`\u202Egnp.exe<img`);
    expect(element.shadowRoot!.querySelector('img')).to.equal(null);
    expect(globalThis).to.not.have.property('broken');
  });

  for (const scheme of ['light', 'dark'] as const) {
    it(`is accessible with the details open, ${scheme}`, async () => {
      const peer = recordedPeer();
      await recordAll(peer);
      peer.deliver('nonsense');
      const element = await show(peer.recorder);
      element.style.colorScheme = scheme;
      element.style.blockSize = '900px';
      press(element, 'Home');
      press(element, 'ArrowDown');
      press(element, 'Enter');
      await element.updateComplete;
      await expect(element).to.be.accessible();
    });
  }
});
