import { expect } from '@esm-bundle/chai';
import { render } from 'lit';
import { setLanguage } from '@inpage-mcp/elements/localize';
import { LazyPart } from '../../packages/elements/src/base/element/lazy-part.js';
import { PartError } from '../../packages/elements/src/base/look/load-part.js';
import { renderError, renderOutdated } from '../../packages/elements/src/base/look/messages.js';
import { Slices } from '../../packages/elements/src/reading/slices.js';
import { ShownFile } from '../../packages/elements/src/show/mcp-resource-view/kinds/shown-file.js';

/** A part that another deployment of the page has removed. */
const GONE = '/packages/elements/gone-1234.js';

const textOf = (template: unknown): HTMLElement => {
  const place = document.createElement('div');
  render(template, place);
  return place;
};

describe('a part of an element that a new deployment has removed', () => {
  let events: number;
  const count = (): void => void (events += 1);

  beforeEach(() => {
    events = 0;
    window.addEventListener('mcp-outdated', count);
  });

  afterEach(() => window.removeEventListener('mcp-outdated', count));

  it('says in the language of the page that there is a newer version, and offers only to reload', async () => {
    const part = new LazyPart(() => import(GONE));
    expect(await part.load()).to.equal(undefined);
    expect(events).to.equal(1);
    const place = textOf(renderError(part.error, () => expect.fail('nothing is tried again')));
    expect(place.textContent).to.contain('This page has a newer version.');
    expect(
      [...place.querySelectorAll('button')].map(({ textContent }) => textContent.trim()),
    ).to.deep.equal(['Reload']);
    await setLanguage('ja');
    try {
      expect(textOf(renderError(part.error)).textContent).to.contain('新しいバージョン');
    } finally {
      await setLanguage('en');
    }
  });

  it('says it beside what is shown in its place', async () => {
    const part = new LazyPart(() => import(GONE));
    await part.load();
    expect(textOf(renderOutdated(part.error)).textContent).to.contain('newer version');
    expect(textOf(renderOutdated(new Error('another'))).textContent).to.equal('');
    const contents = { uri: 'file:///a.bin', blob: 'AAAA', mimeType: 'application/x' };
    const showing = { root: document.createElement('div').attachShadow({ mode: 'open' }) };
    const file = new ShownFile(contents, showing as never, 'mcp-view-hex', part.error);
    await file.prepare(new Slices(new AbortController().signal, () => undefined));
    expect(textOf(file.render()).textContent).to.contain('newer version').and.contain('Reload');
  });

  it('leaves the reason open where the server of the page does not answer', async () => {
    const { fetch } = globalThis;
    globalThis.fetch = () => Promise.reject(new TypeError('no connection'));
    const part = new LazyPart(() => import(GONE));
    await part.load();
    globalThis.fetch = fetch;
    expect(part.error).to.be.instanceOf(PartError);
    expect(textOf(renderError(part.error)).textContent).to.contain('Check the connection');
    expect(events).to.equal(0);
  });
});
