import { expect } from '@esm-bundle/chai';
import { acceptFrames, type FrameAcceptor, type FrameConnection } from '@inpage-mcp/transport';
import { itInAll } from '../../support/it-in-all.js';
import { openLinkedServer, type LinkedServer } from '../../support/linked-server.js';
import { deleteDatabase } from '../../support/database.js';
import { secondOrigin } from '../../support/second-origin.js';
import { frameOf, removeFrames } from '../../transport/guest-frame.js';
import { sizeOf } from '../../support/test-size.js';
import { usedHeapBytes } from '../browser.js';
import { soon } from '../../support/within.js';
import { useNoHeartbeat } from '../../support/heartbeat.js';

const FRAMES = sizeOf({ quick: 25, ci: 100, soak: 200 });
const AT_A_TIME = 20;
const GROWTH_BYTES = 1024 * 1024;

/** A frame that has shaken hands and was answered by the server; it says nothing when it is gone. */
async function openConnected(): Promise<void> {
  const frame = frameOf(`${secondOrigin}/test/fixtures/scenario-silent.html`);
  const answered = new Promise<void>((resolve) => {
    window.addEventListener('message', function listen({ source, data }) {
      if (source !== frame.contentWindow || data !== 'answered') return;
      window.removeEventListener('message', listen);
      resolve();
    });
  });
  document.body.append(frame);
  await answered;
}

describe(`${FRAMES} frames that connect and are killed`, () => {
  useNoHeartbeat();

  let linked: LinkedServer;
  let acceptor: FrameAcceptor;
  let open: FrameConnection[] = [];

  before(async () => {
    linked = await openLinkedServer();
    acceptor = acceptFrames({
      allowedOrigins: [secondOrigin],
      onPort(port, connection) {
        const number = linked.server.servePort(port, { limits: 'guest' });
        open.push(connection);
        void connection.closed.then(() => linked.server.closeConnection(number));
      },
    });
  });

  after(async () => {
    removeFrames();
    acceptor.close();
    await linked.server.close();
    await deleteDatabase(linked.databaseName);
  });

  const openAndKill = async (): Promise<void> => {
    await Promise.all(Array.from({ length: AT_A_TIME }, openConnected));
    expect(linked.server.connectionCount).to.equal(AT_A_TIME);
    const closed = Promise.all(open.map((connection) => connection.closed));
    open = [];
    removeFrames();
    await soon('every connection has ended', closed);
    expect(acceptor.connections).to.equal(0);
  };

  itInAll('leave no connection and no memory behind', async () => {
    // What is made once, and stays.
    await openAndKill();
    const before = await usedHeapBytes();
    for (let count = 0; count < FRAMES; count += AT_A_TIME) await openAndKill();
    const growth = (await usedHeapBytes())! - before!;
    expect(linked.server.connectionCount).to.equal(0);
    expect(growth).to.be.below(GROWTH_BYTES);
  });
});
