import { expect } from '@esm-bundle/chai';
import { McpProvider, McpResourceList, McpResourceView } from '@inpage-mcp/elements/classes';

describe('the modules of the elements', () => {
  it('define nothing, one, what nearly every page has, or all of them, and a second time nothing breaks', async () => {
    const names = ['mcp-provider', 'mcp-resource-list', 'mcp-resource-view'];
    const defined = (): string[] => names.filter((name) => customElements.get(name));
    expect(defined()).to.deep.equal([]);
    await import('@inpage-mcp/elements/define/mcp-resource-list');
    expect(defined()).to.deep.equal(['mcp-resource-list']);
    await import('@inpage-mcp/elements');
    expect(defined()).to.deep.equal(names);
    expect(customElements.get('mcp-tool-form')).to.equal(undefined);
    document.body.append(document.createElement('mcp-tool-form'));
    await customElements.whenDefined('mcp-tool-form');
    expect(customElements.get('mcp-wire')).to.equal(undefined);
    await import('@inpage-mcp/elements/all');
    expect(customElements.get('mcp-wire')).to.not.equal(undefined);
    expect(names.map((name) => customElements.get(name))).to.deep.equal([
      McpProvider,
      McpResourceList,
      McpResourceView,
    ]);
  });
});
