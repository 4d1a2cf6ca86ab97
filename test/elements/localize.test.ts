import '@inpage-mcp/elements/all';
import { addLanguage, setLanguage } from '@inpage-mcp/elements/localize';
import { expect, fixture, html } from '@open-wc/testing';
import type { McpResourceView, McpToolForm } from '@inpage-mcp/elements';
import {
  formatDate,
  formatNumber,
  formatSize,
} from '../../packages/elements/src/base/text/format.js';
import { matchesIn } from '../../packages/elements/src/base/text/matching.js';
import { searchableTexts } from '../../packages/elements/src/base/text/translate-text.js';
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

  it('is that of the words of the own server, and of nothing else', async () => {
    const tool = (title: string, description: string) => ({
      name: 'act',
      title,
      description,
      inputSchema: { type: 'object', properties: { id: { type: 'string', description: title } } },
    });
    const textsOf = async (shown: object): Promise<string> => {
      const client = {
        state: 'open',
        serverCapabilities: { tools: {} },
        watchState: () => undefined,
        watchTools: () => ({ ready: Promise.resolve(), stop: () => undefined }),
        listTools: () => Promise.resolve({ tools: [shown] }),
      };
      const form = await fixture<McpToolForm>(
        html`<mcp-tool-form .client=${client as never} tool="act"></mcp-tool-form>`,
      );
      await eventually(() => form.shadowRoot!.querySelector('.tool'));
      const text = (selector: string) =>
        form.shadowRoot!.querySelector(selector)!.textContent.trim();
      return [text('h3'), text('.about'), text('.description')].join(' | ');
    };
    const own = tool('Delete a note', 'Deletes a note for good. It cannot be brought back.');
    const other = tool('mcp.retry', 'Delete a note!');
    await setLanguage('ja');
    expect(await textsOf(own)).to.equal(
      'ノートを削除 | ノートを完全に削除します。元に戻せません。 | ノートを削除',
    );
    expect(await textsOf(other)).to.equal('mcp.retry | Delete a note! | mcp.retry');
    await setLanguage('en');
    expect(await textsOf(own)).to.contain('Delete a note | Deletes');
  });

  it('is that in which the words of the own server are searched, and English, too', async () => {
    const tools = [{ title: 'Search in notes' }, { title: 'Delete a note' }];
    const found = (typed: string) =>
      matchesIn(tools, typed, ({ title }) => searchableTexts([title])).map(({ title }) => title);
    await setLanguage('en');
    expect(found('削除')).to.deep.equal([]);
    await setLanguage('ja');
    expect(found('削除')).to.deep.equal(['Delete a note']);
    expect(found('delete')).to.deep.equal(['Delete a note']);
    await setLanguage('en');
    expect(found('削除')).to.deep.equal([]);
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
