// The whole kit with a server that is not ours: one of the official SDK, over Streamable HTTP.
import '@inpage-mcp/elements';
import type { McpClient } from '@inpage-mcp/client';
import { expect, fixture, html } from '@open-wc/testing';
import type { McpProvider, McpResourceList } from '@inpage-mcp/elements';
import { eventually } from '../support/elements.js';
import { connectRemote } from '../support/remote-client.js';

for (const era of ['modern', 'legacy'] as const) {
  describe(`the elements, with a remote server of the SDK in the ${era} era,`, () => {
    let client: McpClient;

    beforeEach(async () => {
      client = await connectRemote({ era });
    });

    afterEach(async () => {
      await client.close();
    });

    const show = async <Shown extends HTMLElement>(
      tag: string,
      properties: object = {},
    ): Promise<Shown> => {
      const element = document.createElement(tag) as Shown;
      Object.assign(element, properties);
      const provider = await fixture<McpProvider>(html`<mcp-provider>${element}</mcp-provider>`);
      provider.client = client;
      return element;
    };

    const textOf = (element: Element): string => element.shadowRoot!.textContent;

    it('list its resources', async () => {
      const list = await show<McpResourceList>('mcp-resource-list');
      await eventually(() => list.resources.length > 0);
      await eventually(() => list.shadowRoot!.querySelector('[role=option]'));
      await expect(list).to.be.accessible();
    });

    it('show a resource, and its new text after an update', async () => {
      const { resources } = await client.listResources();
      const { uri } = resources.find(({ mimeType }) => mimeType?.startsWith('text/'))!;
      const { contents } = await client.readResource(uri);
      const before = 'text' in contents[0]! ? contents[0].text : '';
      const view = await show('mcp-resource-view', { uri, header: true });
      await eventually(() => textOf(view).includes(before));
      await client.callTool('change_text', { text: 'Changed far away.' });
      await eventually(() => textOf(view).includes('Changed far away.'));
    });

    it('show an image', async () => {
      const { resources } = await client.listResources();
      const image = resources.find(({ mimeType }) => mimeType === 'image/png')!;
      const view = await show('mcp-resource-view', { uri: image.uri });
      await eventually(() => view.shadowRoot!.querySelector('img'));
    });

    it('offer its tools, prompts and templates', async () => {
      const tools = await show('mcp-tool-form', { tool: 'order' });
      await eventually(() => tools.shadowRoot!.querySelector('input, select, textarea'));
      const prompts = await show('mcp-prompt-menu');
      await eventually(() => /translate/i.test(textOf(prompts)));
      const templates = await show('mcp-template-form');
      await eventually(() => templates.shadowRoot!.querySelector('input'));
      for (const element of [tools, prompts, templates]) await expect(element).to.be.accessible();
    });

    it('pick resources for a model', async () => {
      const picker = await show('mcp-resource-picker', { budget: 10_000, label: 'Context' });
      await eventually(() => picker.shadowRoot!.querySelector('[role=combobox]'));
    });

    it('say who the server is, and what it lacks', async () => {
      const connection = await show('mcp-connection', { detailed: true });
      await eventually(() => textOf(connection).includes(client.serverInfo!.name));
      const activity = await show('mcp-activity');
      await eventually(() => textOf(activity).trim() !== '');
    });

    it('say that the connection has ended, and offer nothing that cannot work', async () => {
      const list = await show<McpResourceList>('mcp-resource-list');
      await eventually(() => list.resources.length > 0);
      await client.close();
      await eventually(() => list.matches(':state(closed)'));
      expect(textOf(list)).to.contain('The connection has ended.');
    });
  });
}
