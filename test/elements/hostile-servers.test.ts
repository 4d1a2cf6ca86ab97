import { expect, fixture, html } from '@open-wc/testing';
import '@inpage-mcp/elements/all';
import type { McpResourceList, McpResourceView } from '@inpage-mcp/elements';
import { connectToChanging, type ChangingServer } from '../client/changing-server.js';
import { eventually } from '../support/elements.js';
import { manyHoles } from '../support/holes.js';
import { casesOf } from '../support/test-size.js';

/** What Lit takes for a template, if it may come as a text; structured clone keeps every part. */
const TEMPLATE = {
  _$litType$: 1,
  strings: Object.assign(['<img src="x" onerror="globalThis.broken = true">'], { raw: [] }),
  values: [],
};

/** Of every type, but `undefined`: values that somebody's server sends in the place of others. */
const VALUES: unknown[] = [
  null,
  true,
  -1,
  NaN,
  Infinity,
  2n ** 70n,
  '',
  '%%%',
  '\u0000\uD800',
  [],
  [null],
  [['x']],
  manyHoles(),
  {},
  { toString: null, valueOf: 7 },
  TEMPLATE,
  [TEMPLATE],
  new Map([[1, 2]]),
  new Date(NaN),
  new Uint8Array(3),
  new Error('broken'),
];

/** A client that passes on what a test says, and checks nothing. */
function credulousClient(answers: ChangingServer['answers']): ChangingServer {
  const listeners = new Set<() => void>();
  const watch = (listener: () => void): unknown => {
    listeners.add(listener);
    return { ready: Promise.resolve(), stop: () => listeners.delete(listener) };
  };
  const client = {
    watch: (_uri: string, listener: () => void) => watch(listener),
    watchList: watch,
    watchState: () => undefined,
    listResources: () => Promise.resolve(answers['resources/list']),
    readResource: () => Promise.resolve(answers['resources/read']),
  };
  const notify = (): void => listeners.forEach((listener) => listener());
  return { client: client as never, answers, hasListener: Promise.resolve(), notify };
}

const GOOD = { uri: 'a:good', name: 'good', title: 'Good', mimeType: 'text/plain', size: 1 };
const WELL = { resources: [{ uri: 'a:well', name: 'Well again' }] };
const GOOD_CONTENTS = { uri: 'a:b', mimeType: 'text/plain', text: 'A good text.' };

const titles = (list: McpResourceList): string[] =>
  [...list.shadowRoot!.querySelectorAll('[role=option] .title')].map(
    ({ textContent }) => textContent,
  );
const alertOf = (element: Element): Element | null =>
  element.shadowRoot!.querySelector('[role=alert]');
const noteOf = (element: Element): string | undefined =>
  element.shadowRoot!.querySelector('[role=note]')?.textContent.replaceAll(/\s+/g, ' ').trim();

for (const [who, connect] of casesOf([
  ['a client that checks nothing', credulousClient],
  ['a server', connectToChanging],
] as const)) {
  describe(`<mcp-resource-list>, with ${who} that gets something wrong,`, () => {
    afterEach(() => expect(globalThis).not.to.have.property('broken'));

    const show = async (
      answer: unknown,
    ): Promise<{ list: McpResourceList; of: ChangingServer }> => {
      const of = await connect({ 'resources/list': answer });
      const list = await fixture<McpResourceList>(
        html`<mcp-resource-list .client=${of.client}></mcp-resource-list>`,
      );
      return { list, of };
    };

    /** The list shows what the server has when that is well again. */
    const recovers = async (list: McpResourceList, of: ChangingServer): Promise<void> => {
      of.answers['resources/list'] = WELL;
      await of.hasListener;
      of.notify('resources/list_changed');
      await eventually(() => titles(list).join() === 'Well again');
      expect(noteOf(list)).to.equal(undefined);
      expect(alertOf(list)).to.equal(null);
      list.remove();
      await of.client.close?.();
    };

    for (const field of [
      'uri',
      'name',
      'title',
      'mimeType',
      'size',
      'annotations',
      'icons',
      '_meta',
    ]) {
      it(`shows what is right whatever ${field} is`, async () => {
        const wrong = VALUES.map((value, index) => ({
          ...GOOD,
          uri: `a:${index}`,
          [field]: value,
        }));
        const { list, of } = await show({ resources: [...wrong, GOOD] });
        await eventually(() => list.resources.some(({ uri }) => uri === GOOD.uri));
        await eventually(() => {
          list.shadowRoot!.querySelector('[role=listbox]')!.scrollTop = 1e6;
          return titles(list).at(-1) === 'Good';
        });
        expect(list.shadowRoot!.querySelector('img')).to.equal(null);
        await recovers(list, of);
      });
    }

    for (const field of ['lastModified', 'priority', 'audience']) {
      it(`shows what is right whatever ${field} of the annotations is`, async () => {
        const wrong = VALUES.map((value, index) => ({
          ...GOOD,
          uri: `a:${index}`,
          annotations: { [field]: value },
        }));
        const { list, of } = await show({ resources: wrong });
        await eventually(() => titles(list).length > 5);
        expect(list.resources).to.have.length(VALUES.length);
        expect(list.shadowRoot!.querySelector('img')).to.equal(null);
        await recovers(list, of);
      });
    }

    it('counts the entries that are none', async () => {
      const { list, of } = await show({ resources: [null, GOOD, 'entry', 7] });
      await eventually(() => titles(list).join() === 'Good');
      expect(noteOf(list)).to.equal('Entries that cannot be shown: 3');
      await expect(list).to.be.accessible();
      await recovers(list, of);
    });

    it('shows 10,000 entries of a page, and counts the others', async () => {
      const many = Array.from({ length: 200_000 }, (_, key) => ({ ...GOOD, uri: `a:${key}` }));
      const { list, of } = await show({ resources: many });
      await eventually(() => list.resources.length === 10_000);
      expect(noteOf(list)?.replaceAll(/\D/g, '')).to.equal('190000');
      await recovers(list, of);
    });

    it('says so when nothing is left', async () => {
      const { list, of } = await show({ resources: [null] });
      const alert = await eventually(() => alertOf(list));
      expect(alert.textContent).to.contain('Entries that cannot be shown: 1');
      await expect(list).to.be.accessible();
      await recovers(list, of);
    });

    it('says so when there is no list', async () => {
      for (const resources of [undefined, null, 'none', 7, {}, TEMPLATE]) {
        const { list, of } = await show({ resources });
        await eventually(() => alertOf(list));
        await recovers(list, of);
      }
    });

    it('ends where a cursor is no string', async () => {
      for (const nextCursor of [null, 7, {}, TEMPLATE]) {
        const { list, of } = await show({ resources: [GOOD], nextCursor });
        await eventually(() => titles(list).join() === 'Good');
        expect(list.shadowRoot!.querySelector('[aria-setsize="1"]')).not.to.equal(null);
        await recovers(list, of);
      }
    });
  });

  describe(`<mcp-resource-view>, with ${who} that gets something wrong,`, () => {
    afterEach(() => expect(globalThis).not.to.have.property('broken'));

    const show = async (
      answer: unknown,
    ): Promise<{ view: McpResourceView; of: ChangingServer }> => {
      const of = await connect({ 'resources/read': answer });
      const view = await fixture<McpResourceView>(
        html`<mcp-resource-view .client=${of.client} uri="a:b"></mcp-resource-view>`,
      );
      return { view, of };
    };

    /** The view shows the resource when the server is well again. */
    const recovers = async (view: McpResourceView, of: ChangingServer): Promise<void> => {
      of.answers['resources/read'] = { contents: [{ uri: 'a:b', text: 'Well again.' }] };
      await of.hasListener;
      of.notify('resources/updated', { uri: 'a:b' });
      await eventually(() => view.shadowRoot!.textContent.includes('Well again.'));
      expect(alertOf(view)).to.equal(null);
      view.remove();
      await of.client.close?.();
    };

    for (const field of ['uri', 'mimeType', 'text', 'blob', '_meta']) {
      for (const [kind, shared] of [
        ['text', GOOD_CONTENTS],
        ['bytes', { uri: 'a:b', mimeType: 'image/png', blob: 'AAAA' }],
      ] as const) {
        it(`shows what is right of ${kind} whatever ${field} is`, async () => {
          const wrong = VALUES.map((value) => ({ ...shared, [field]: value }));
          const { view, of } = await show({ contents: [...wrong, GOOD_CONTENTS] });
          await eventually(() => view.shadowRoot!.textContent.includes('A good text.'));
          expect(view.shadowRoot!.querySelector('img[onerror]')).to.equal(null);
          await recovers(view, of);
        });
      }
    }

    it('counts the contents that are none', async () => {
      const { view, of } = await show({ contents: [null, GOOD_CONTENTS, 'contents'] });
      const note = await eventually(() => noteOf(view));
      expect(note).to.equal('Parts of this resource that cannot be shown: 2');
      await expect(view).to.be.accessible();
      await recovers(view, of);
    });

    it('says so when nothing is left', async () => {
      const nothing = [undefined, null, 'none', 7, {}, TEMPLATE, [null], [{ uri: 'a:b' }]];
      for (const contents of nothing) {
        const { view, of } = await show({ contents });
        await eventually(() => alertOf(view));
        await recovers(view, of);
      }
    });

    it('says so when bytes are no base64, and shows what else there is', async () => {
      for (const [blob, mimeType] of [
        ['%%%', 'image/png'],
        ['A', undefined],
      ]) {
        const { view, of } = await show({ contents: [{ uri: 'a:c', mimeType, blob }] });
        const alert = await eventually(() => alertOf(view));
        expect(alert.textContent).to.equal('Its bytes cannot be read.');
        await expect(view).to.be.accessible();
        of.answers['resources/read'] = {
          contents: [{ uri: 'a:c', mimeType, blob }, GOOD_CONTENTS],
        };
        view.reload();
        await eventually(() => view.shadowRoot!.textContent.includes('A good text.'));
        expect(alertOf(view)).not.to.equal(null);
        await recovers(view, of);
      }
    });
  });
}
