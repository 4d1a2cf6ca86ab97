import { expect } from '@esm-bundle/chai';
import { McpProvider, McpResourceList, McpResourceView } from '@inpage-mcp/elements/classes';

describe('the modules of the elements', () => {
  it('define nothing, one, or all of them, and a second time nothing breaks', async () => {
    const names = ['mcp-provider', 'mcp-resource-list', 'mcp-resource-view'];
    const defined = (): string[] => names.filter((name) => customElements.get(name));
    expect(defined()).to.deep.equal([]);
    await import('@inpage-mcp/elements/define/mcp-resource-list');
    expect(defined()).to.deep.equal(['mcp-resource-list']);
    await import('@inpage-mcp/elements');
    expect(defined()).to.deep.equal(names);
    expect(names.map((name) => customElements.get(name))).to.deep.equal([
      McpProvider,
      McpResourceList,
      McpResourceView,
    ]);
  });
});
