import '@inpage-mcp/elements/all';
import { addLanguage, setLanguage } from '@inpage-mcp/elements/localize';
import { expect, fixture, html } from '@open-wc/testing';
import type { McpResourceView } from '@inpage-mcp/elements';
import {
  formatDate,
  formatNumber,
  formatSize,
} from '../../packages/elements/src/base/text/format.js';
import { failureOf } from '../support/failure.js';
import { eventually } from '../support/within.js';

describe('the language of the elements', () => {
  const show = async (): Promise<McpResourceView> => {
    const client = {
      watch: () => undefined,
      watchState: () => undefined,
      readResource: () => Promise.reject(new Error('no')),
    };
    const view = await fixture<McpResourceView>(
      html`<mcp-resource-view .client=${client as never} uri="a:b"></mcp-resource-view>`,
    );
    await view.updateComplete;
    return view;
  };

  const buttonOf = (view: McpResourceView): string =>
    view.shadowRoot!.querySelector('button')?.textContent.trim() ?? '';

  it('is English at first, whatever the browser prefers', async () => {
    await shown(await show(), 'Try again');
    expect(formatSize(1_500_000)).to.equal('1.5 MB');
    expect(formatNumber(12_345)).to.equal('12,345');
  });

  it('changes in elements that are shown already, with numbers, sizes and dates', async () => {
    // To be added before the first change.
    addLanguage('broken', () => Promise.reject(new Error('no texts')));
    addLanguage('de', () => Promise.resolve({ templates: { 'mcp.retry': 'Erneut versuchen' } }));
    const view = await show();
    await shown(view, 'Try again');
    await setLanguage('ja-JP');
    await shown(view, 'もう一度試す');
    expect(formatDate('2026-01-02T03:04:00Z')).to.contain('2026/01/02');
    await setLanguage('ar');
    await shown(view, 'إعادة المحاولة');
    await setLanguage('zh-Hans');
    await shown(view, '重试');
    await setLanguage('de');
    await shown(view, 'Erneut versuchen');
    expect(formatNumber(12_345)).to.equal('12.345');
    await setLanguage('en');
    await shown(view, 'Try again');
  });

  it('is English for a language without texts', async () => {
    await setLanguage('ja');
    await setLanguage('tlh');
    await shown(await show(), 'Try again');
  });

  it('rejects if the texts cannot be loaded, and stays as it was', async () => {
    expect(String(await failureOf(setLanguage('broken')))).to.contain('no texts');
    await shown(await show(), 'Try again');
  });

  it('takes no language after the first change', () => {
    expect(() => addLanguage('fr', () => Promise.resolve({ templates: {} }))).to.throw('before');
  });

  const shown = (view: McpResourceView, text: string): Promise<true> =>
    eventually(() => buttonOf(view) === text);
});
