import { expect } from '@esm-bundle/chai';
import { connectClient } from '@inpage-mcp/client';
import { connectToFrame, MessagePortTransport, whenGone } from '@inpage-mcp/transport';
import { startRuntime } from '@inpage-mcp/runtime';
import { deleteDatabase, freshDatabaseName } from '../../support/database.js';
import { secondOrigin } from '../../support/second-origin.js';
import { Guest, loaded, openGuest, removeFrames } from '../../transport/guest-frame.js';
import { crash, ownOrigin, Tab } from '../browser.js';
import { soon } from '../../support/within.js';
import { useNoHeartbeat } from '../../support/heartbeat.js';

/** How many notes were acknowledged before the page is ended in the midst of more. */
const NOTES = 50;

describe('a page that ends', () => {
  useNoHeartbeat();

  it('is closed while it writes, and everything acknowledged is there', async () => {
    const databaseName = freshDatabaseName();
    const channel = new BroadcastChannel(databaseName);
    const ids: string[] = [];
    const enough = new Promise<void>((resolve) => {
      channel.onmessage = ({ data }: MessageEvent<string>) => {
        if (ids.push(data) === NOTES) resolve();
      };
    });
    const tab = await Tab.open();
    await tab.call('start', { databaseName });
    await tab.call('keepCreating', { channel: databaseName });
    await enough;
    await tab.call('holdLiveness', databaseName);
    const gone = whenGone(databaseName, new AbortController().signal);
    await tab.close();
    await soon('its lock reports the end', gone);
    const runtime = await startRuntime({ databaseName });
    const { notes } = await runtime.notes.list({ limit: 10_000 });
    expect(notes.map(({ id }) => id)).to.include.members(ids);
    channel.close();
    await runtime.close();
    await deleteDatabase(databaseName);
  });

  it('crashes while it writes, and another tab has everything and goes on', async () => {
    const origin = ownOrigin();
    const [mortal, other] = [await Tab.open(origin), await Tab.open(origin)];
    const databaseName = freshDatabaseName();
    await Promise.all([
      mortal.call('start', { databaseName }),
      other.call('start', { databaseName }),
    ]);
    await mortal.call('holdLiveness', 'of the mortal');
    const enough = other.call('collect', { channel: databaseName, count: NOTES });
    await mortal.call('keepCreating', { channel: databaseName });
    await enough;
    const gone = other.call('whenGone', 'of the mortal');
    await crash(mortal.url);
    await soon('its lock reports the death', gone);
    const collected = await other.call<string[]>('collected');
    expect(await other.call('ids')).to.include.members(collected);
    const id = await other.call<string>('create', 'after');
    expect(await other.call('read', id)).to.equal('after');
    const events = await other.call<string[]>('events');
    expect(events.filter((event) => event !== 'list changed')).to.deep.equal([]);
    await Promise.all([mortal.close(), other.close()]);
  });

  it('serves from within a frame and goes elsewhere: the port of its client ends', async () => {
    const databaseName = freshDatabaseName();
    const url = `${secondOrigin}/test/fixtures/scenario-page.html`;
    const { frame, guest } = await openGuest(url);
    await guest.do('start', { databaseName });
    await guest.do('serveParent', { origin: location.origin });
    const port = await connectToFrame(frame, { origin: secondOrigin });
    const client = await connectClient(new MessagePortTransport(port));
    expect((await client.listResources()).resources).not.to.be.empty;
    const left = loaded(frame);
    frame.src = `${secondOrigin}/test/fixtures/guest.html`;
    await soon('the client is notified of the end', client.closed);
    await left;

    const back = loaded(frame);
    frame.src = url;
    await back;
    const again = new Guest(frame.contentWindow!);
    await again.do('start', { databaseName });
    await again.do('serveParent', { origin: location.origin });
    const second = await connectToFrame(frame, { origin: secondOrigin });
    const next = await connectClient(new MessagePortTransport(second));
    expect((await next.listResources()).resources).not.to.be.empty;
    await next.close();
    removeFrames();
  });
});
