// Apps of a page, for hosts that show them and for those that do not, in both eras.
import { defineTool } from '@inpage-mcp/protocol';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakePage, ORIGIN } from './fake-page.mjs';
import { notesServer } from './notes-server.mjs';
import { connectSdk, newPlace, pairPage } from './processes.mjs';

const URI = 'ui://notes/list';
const APPS = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };

/** As large as an app with everything in it. */
const HTML = `<!doctype html><title>Notes</title>${'<!-- filling -->'.repeat(20_000)}`;

function serverWithApps() {
  const server = notesServer();
  server.addApp({ uri: URI, html: HTML, prefersBorder: true });
  server.addTool(defineTool({ name: 'show', app: URI, run: () => 'Two notes.' }));
  server.addTool(defineTool({ name: 'page', visibility: ['app'], run: () => 'Page 1.' }));
  return server;
}

/** @param {Awaited<ReturnType<typeof connectSdk>>['client']} client */
async function expectApps(client) {
  const { tools } = await client.listTools();
  const metaOf = (/** @type {string} */ name) => tools.find((tool) => tool.name === name)?._meta;
  assert.deepEqual(metaOf('show'), { ui: { resourceUri: URI }, 'ui/resourceUri': URI });
  assert.deepEqual(metaOf('page'), { ui: { visibility: ['app'] } });
  const { contents } = await client.readResource({ uri: URI });
  const [{ text, ...content }] = /** @type {[{ text: string }]} */ (
    /** @type {unknown} */ (contents)
  );
  const mimeType = 'text/html;profile=mcp-app';
  assert.deepEqual(content, { uri: URI, mimeType, _meta: { ui: { prefersBorder: true } } });
  assert.match(text, /^<!doctype html><script [^>]*id="inpage-mcp-tools">\[\{"name":"write_note"/);
  assert.ok(text.endsWith(HTML.slice('<!doctype html>'.length)));
  const { content: blocks } = await client.callTool({ name: 'page' });
  assert.deepEqual(blocks, [{ type: 'text', text: 'Page 1.' }]);
}

/** @typedef {{ mode: 'legacy' | 'auto', isHttp: boolean }} Way */

/** Over HTTP, a legacy host has a session, and any other says with each request what it is. @type {Way[]} */
const ways = [
  { mode: 'legacy', isHttp: false },
  { mode: 'auto', isHttp: false },
  { mode: 'legacy', isHttp: true },
  { mode: 'auto', isHttp: true },
];

for (const { mode, isHttp } of ways) {
  const way = `${mode}, over ${isHttp ? 'HTTP' : 'stdio'}`;
  void test(`a host that declares the extension gets tools with apps, and the apps (${way})`, async (t) => {
    const place = await newPlace(t);
    const http = isHttp ? ['--http', '--http-port', '0'] : [];
    const bridge = place.start('--page', `${ORIGIN}/notes`, ...http);
    const pairing = await pairPage(place.port);
    const page = await new FakePage(place.port, { pairing, server: serverWithApps() }).connect();
    place.atEnd(() => page.stop());
    const url = isHttp ? await bridge.until(() => /http:\S+/.exec(bridge.stderr)?.[0]) : undefined;
    const capabilities = { extensions: APPS };
    const { client, transport } = await connectSdk(place, { mode, capabilities, url });
    if (isHttp) assert.equal(transport.sessionId !== undefined, mode === 'legacy');
    assert.deepEqual(client.getServerCapabilities()?.extensions, APPS);
    await expectApps(client);

    const { client: plain } = await connectSdk(place, { mode, name: 'plain host', url });
    const { tools } = await plain.listTools();
    assert.ok(!JSON.stringify(tools).includes('ui://'));
    assert.ok(!tools.some(({ name }) => name === 'page'));
    await assert.rejects(plain.callTool({ name: 'page' }), /not found/);
    await assert.rejects(plain.readResource({ uri: URI }), /not found/);
    const { content } = await plain.callTool({ name: 'show' });
    assert.deepEqual(content, [{ type: 'text', text: 'Two notes.' }]);
  });
}

void test('a host that was there before the page is known by what it declared then', async (t) => {
  const place = await newPlace(t);
  place.start('--page', `${ORIGIN}/notes`);
  const pairing = await pairPage(place.port);
  const { client } = await connectSdk(place, { capabilities: { extensions: APPS } });
  assert.deepEqual(client.getServerCapabilities()?.extensions, APPS);
  /** @type {() => void} */
  let onchanged = () => {};
  const changed = new Promise((resolve) => (onchanged = () => resolve(undefined)));
  client.setNotificationHandler('notifications/tools/list_changed', () => onchanged());
  const page = await new FakePage(place.port, { pairing, server: serverWithApps() }).connect();
  place.atEnd(() => page.stop());
  await changed;
  await expectApps(client);
});
