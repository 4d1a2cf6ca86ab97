// What the kit shows of a server that is not ours: one of the official SDK, over Streamable HTTP.
import '@inpage-mcp/elements/all';
import { expect } from '@open-wc/testing';
import { eventually, inside } from '../support/elements.js';
import { useRemoteElements, wordsOf } from '../support/remote-elements.js';

const TEXT = 'remote:///text';
const MISSING = 'remote:///items/missing';

for (const era of ['modern', 'legacy'] as const) {
  describe(`the elements, with a remote server of the SDK in the ${era} era,`, () => {
    const remote = useRemoteElements({ era });

    it('list its resources, and follow the list', async () => {
      const list = await remote.show('mcp-resource-list', { searchable: true });
      await eventually(() => list.resources.length === 5);
      await eventually(() => list.shadowRoot!.querySelector('[role=option]'));
      await expect(list).to.be.accessible();
      await remote.client.callTool('add_item', { name: 'cherry' });
      await eventually(() => list.resources.some(({ name }) => name === 'cherry'));
      await eventually(() => list.shadowRoot!.querySelectorAll('[role=option]').length === 6);
    });

    it('show a resource, and its new text after an update', async () => {
      const view = await remote.show('mcp-resource-view', { uri: TEXT, header: true });
      await eventually(() => wordsOf(view).includes('The first text.'));
      await expect(view).to.be.accessible();
      await remote.client.callTool('change_text', { text: 'Changed far away.' });
      await eventually(() => wordsOf(view).includes('Changed far away.'));
    });

    it('show an image', async () => {
      const view = await remote.show('mcp-resource-view', { uri: 'remote:///photo' });
      const image = await eventually(() => view.shadowRoot!.querySelector('img'));
      await eventually(() => image.naturalWidth > 0);
    });

    it('say that a resource does not exist, and try again', async () => {
      const view = await remote.show('mcp-resource-view', { uri: MISSING });
      await eventually(() => view.shadowRoot!.querySelector('[role=alert]'));
      await expect(view).to.be.accessible();
      await remote.client.callTool('add_item', { name: 'missing' });
      inside(view, '[role=alert] button').click();
      await eventually(() => wordsOf(view).includes('The missing.'));
    });

    it('pick resources for a model', async () => {
      const picker = await remote.show('mcp-resource-picker', { budget: 10_000, label: 'Context' });
      inside(picker, 'input').click();
      const banana = await eventually(() =>
        [...picker.shadowRoot!.querySelectorAll<HTMLElement>('[role=option]')].find((option) =>
          wordsOf(option).includes('banana'),
        ),
      );
      banana.click();
      await eventually(() => picker.value.join() === 'remote:///items/banana');
      await eventually(() => picker.shadowRoot!.querySelector('.chip'));
      await expect(picker).to.be.accessible();
    });

    it('say who the server is, and what it offers', async () => {
      const connection = await remote.show('mcp-connection', { detailed: true });
      await eventually(() => wordsOf(connection).includes('A remote server, version 1.0.0'));
      expect(wordsOf(connection)).to.contain(`MCP ${remote.client.protocolVersion}`);
      await expect(connection).to.be.accessible();
    });

    it('say that it keeps no log of activity', async () => {
      const activity = await remote.show('mcp-activity');
      await eventually(() => wordsOf(activity) === 'This server keeps no log of its clients.');
      await expect(activity).to.be.accessible();
    });

    it('say that it has no notes to edit', async () => {
      const editor = await remote.show('mcp-note-editor', { noteId: 'a' });
      await eventually(() => wordsOf(editor) === 'This server has no notes that can be edited.');
      expect(editor.shadowRoot!.querySelector('button, input, textarea')).to.equal(null);
      await expect(editor).to.be.accessible();
    });

    it('say that it takes no files, until the page has a target of its own', async () => {
      const drop = await remote.show('mcp-file-drop', { folders: true });
      await eventually(() => wordsOf(drop) === 'This server does not take files.');
      expect(drop.shadowRoot!.querySelector('button, input')).to.equal(null);
      expect(drop.matches(':state(unsupported)')).to.equal(true);
      await expect(drop).to.be.accessible();
      // Nothing is sent to a tool that does not exist.
      await drop.add([new File(['text'], 'plum')]);
      expect(drop.shadowRoot!.querySelector('[part=batch]')).to.equal(null);
      drop.target = { write: (name) => remote.client.callTool('add_item', { name }) };
      await drop.add([new File(['text'], 'plum')]);
      await eventually(() => wordsOf(drop).includes('Saved: plum'));
      const { resources } = await remote.client.listResources();
      expect(resources.some(({ name }) => name === 'plum')).to.equal(true);
    });

    it('say that the connection has ended, and offer nothing that cannot work', async () => {
      const list = await remote.show('mcp-resource-list');
      await eventually(() => list.resources.length > 0);
      await remote.client.close();
      await eventually(() => list.matches(':state(closed)'));
      expect(wordsOf(list)).to.contain('The connection has ended.');
    });
  });
}
