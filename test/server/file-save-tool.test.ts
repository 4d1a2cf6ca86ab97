// Leaves the code of the folders where the server looks for it, as its script does in the worker.
import '@inpage-mcp/server/disk-script';
import { expect } from '@esm-bundle/chai';
import { disk, files, MAX_INLINE_BYTES, notes } from '@inpage-mcp/server';
import { describeDisk, uriOf, useDisk } from '../support/disk.js';
import { itInAll } from '../support/it-in-all.js';
import { useLinkedServer } from '../support/linked-server.js';
import { toolsOf, type ToolCaller } from '../support/tool-caller.js';

const MIB = 1024 * 1024;

/** Base64 of so many zero bytes. */
function zeros(bytes: number): string {
  const rest = ['', 'AA==', 'AAA='][bytes % 3] ?? '';
  return 'AAAA'.repeat(Math.floor(bytes / 3)) + rest;
}

describe('save_file', () => {
  const linked = useLinkedServer();
  let tools: ToolCaller;

  beforeEach(() => {
    // By default a message is smaller: this is what the tool itself takes.
    linked.server.setLimits({ page: { messageBytes: Infinity } });
    tools = toolsOf(linked);
  });

  it('keeps every byte of a content that is decoded in pieces', async () => {
    const bytes = Uint8Array.from({ length: 7 * MIB + 1 }, (_, index) => (index * 7) % 251);
    const url = await new Promise<string>((resolve) => {
      const reader = new FileReader();
      reader.onload = () => resolve(reader.result as string);
      reader.readAsDataURL(new Blob([bytes]));
    });
    await tools.call('save_file', { path: 'a', base64: url.slice(url.indexOf(',') + 1) });
    const { blob } = await linked.server.store.files.read('a');
    const saved = new Uint8Array(await blob.arrayBuffer());
    expect(saved.length).to.equal(bytes.length);
    expect(saved.every((byte, index) => byte === bytes[index])).to.be.true;
  });

  it('refuses what is not base64, and writes nothing', async () => {
    for (const base64 of ['A', 'QQ', 'QQ=', 'QR==', 'QQ==\n', 'Q Q=', 'QQ-_', 'QQ==QQ==', '====']) {
      const message = await tools.failure('save_file', { path: 'a', base64 });
      expect(message, base64).to.contain('base64: Is not base64');
    }
    expect(await linked.server.store.files.count()).to.equal(0);
  });

  it('takes exactly one of text and base64', async () => {
    const both = { path: 'a', text: '', base64: '' };
    for (const args of [{ path: 'a' }, both, { path: 'a', text: undefined }]) {
      expect(await tools.failure('save_file', args)).to.contain('either as text or as base64');
    }
    await tools.call('save_file', { path: 'a', base64: '', text: undefined });
    await tools.call('save_file', { path: 'b', text: '' });
    expect(await linked.server.store.files.count()).to.equal(2);
  });

  it('refuses text that is not Unicode, rather than change it', async () => {
    const message = await tools.failure('save_file', { path: 'a', text: 'a\ud800b' });
    expect(message).to.contain('text: Holds half a surrogate pair');
    await tools.call('save_file', { path: 'a', text: '\ud83d\ude00' });
  });

  itInAll('takes as much as a read can send, and not a byte more', async () => {
    const { files } = linked.server.store;
    await tools.call('save_file', { path: 'base64', base64: zeros(MAX_INLINE_BYTES) });
    await tools.call('save_file', { path: 'text', text: 'ä'.repeat(MAX_INLINE_BYTES / 2) });
    expect((await files.list()).files.map(({ size }) => size)).to.deep.equal([
      MAX_INLINE_BYTES,
      MAX_INLINE_BYTES,
    ]);
    for (const content of [
      { base64: zeros(MAX_INLINE_BYTES + 1) },
      { base64: zeros(MAX_INLINE_BYTES + 3) },
      { text: 'a'.repeat(MAX_INLINE_BYTES + 1) },
      { text: `${'ä'.repeat(MAX_INLINE_BYTES / 2)}a` },
    ]) {
      const message = await tools.failure('save_file', { path: 'c', ...content });
      expect(message).to.contain('more than 16 MB');
    }
    expect(await files.count()).to.equal(2);
  });

  it('refuses what is no media type', async () => {
    const longest = `a/${'b'.repeat(125)}`;
    await tools.call('save_file', { path: 'a', text: '', mediaType: longest });
    for (const mediaType of [`${longest}b`, 'text', 'text/plain; charset=utf-8', '']) {
      const message = await tools.failure('save_file', { path: 'b', text: '', mediaType });
      expect(message).to.contain('mediaType: ');
    }
  });

  it('reports how far it is, more each time, before it answers', async () => {
    const size = 7 * MIB;
    const args = { path: 'a', base64: zeros(size) };
    const id = await tools.post('save_file', args, { _meta: { progressToken: 'p' } });
    await tools.client.answerTo(id);
    const reports = tools.client.notifications('notifications/progress');
    expect(reports.map(({ params }) => params)).to.deep.equal(
      [3 * MIB, 6 * MIB, size].map((progress) => ({ progressToken: 'p', progress, total: size })),
    );
    const last = tools.client.received.at(-1);
    expect(last && 'id' in last && last.id).to.equal(id);
  });

  it('writes nothing and answers nothing once it is cancelled', async () => {
    const { files } = linked.server.store;
    const contents = [{ base64: zeros(MAX_INLINE_BYTES) }, { text: 'a'.repeat(MAX_INLINE_BYTES) }];
    for (const content of contents) {
      const call = { path: 'a', ...content };
      const id = await tools.postCancelled(linked.databaseName, 'save_file', call);
      await tools.call('save_file', { path: 'b', ...content });
      expect((await files.list()).files.map(({ path }) => path)).to.deep.equal(['b']);
      expect(tools.hasAnswered(id)).to.be.false;
    }
  });
});

describeDisk('save_file on the disk', () => {
  const own = useDisk();
  const linked = useLinkedServer({ providers: [notes(), files(), disk()] });

  it('reports no bytes, because the seconds of its write would be less than they', async () => {
    linked.server.setLimits({ page: { messageBytes: Infinity } });
    linked.server.disk.page = { report: () => undefined, ignored: async () => [] };
    const control = await linked.server.disk.load('data:text/javascript,');
    await control.mount(own.folder, { write: true });
    const tools = toolsOf(linked);
    const args = { path: uriOf('a'), base64: zeros(7 * MIB) };
    const id = await tools.post('save_file', args, { _meta: { progressToken: 'p' } });
    await tools.client.answerTo(id);
    const reports = tools.client.notifications('notifications/progress');
    expect(reports.filter(({ params }) => 'total' in params!)).to.deep.equal([]);
    expect((await (await own.fileAt('a')).getFile()).size).to.equal(7 * MIB);
    await control.unmount('project');
  });
});
