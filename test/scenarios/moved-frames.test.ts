import { expect } from '@esm-bundle/chai';
import { acceptFrames, type FrameAcceptor, type FrameConnection } from '@inpage-mcp/transport';
import { useLinkedServer } from '../support/linked-server.js';
import { secondOrigin } from '../support/second-origin.js';
import { Guest, loaded, openGuest, removeFrames } from '../transport/guest-frame.js';
import { eventually, soon } from '../support/within.js';
import { useNoHeartbeat } from '../support/heartbeat.js';

const parentOrigin = location.origin;
const urlOf = (origin: string): string => `${origin}/test/fixtures/scenario-frame.html`;

for (const origin of [secondOrigin, parentOrigin]) {
  describe(`a connected frame (${origin})`, () => {
    useNoHeartbeat();

    const linked = useLinkedServer();
    let acceptor: FrameAcceptor;
    let connections: FrameConnection[];
    let frame: HTMLIFrameElement;
    let guest: Guest;

    beforeEach(async () => {
      const { server } = linked;
      await server.store.notes.create({ title: 'a', text: '' });
      connections = [];
      const byNumber = new Map<number, FrameConnection>();
      server.listenToClose((number) => byNumber.get(number)?.close());
      acceptor = acceptFrames({
        allowedOrigins: [origin],
        onPort(port, connection) {
          const number = server.servePort(port, { limits: 'guest' });
          connections.push(connection);
          byNumber.set(number, connection);
          void connection.closed.then(() => server.closeConnection(number));
        },
      });
      ({ frame, guest } = await openGuest(urlOf(origin)));
      await guest.do('connect', { parentOrigin });
      await guest.do('watchList');
    });

    afterEach(() => {
      removeFrames();
      acceptor.close();
    });

    const expectFreed = async (): Promise<void> => {
      await soon('the connection has ended', connections[0]!.closed);
      await eventually(() => linked.server.connectionCount === 0);
      expect(acceptor.connections).to.equal(0);
    };
    /** The document that is in the frame now gets a connection of its own. */
    const expectServedAgain = async (): Promise<void> => {
      const next = new Guest(frame.contentWindow!);
      await next.do('connect', { parentOrigin });
      expect(await next.do('list')).to.deep.equal(['a']);
      expect([connections.length, linked.server.connectionCount]).to.deep.equal([2, 1]);
    };

    it('is freed when it is reloaded, and served again', async () => {
      const reloaded = loaded(frame);
      await guest.do('reload');
      await expectFreed();
      await reloaded;
      await expectServedAgain();
    });

    it('is freed when it goes elsewhere, and served when it is back', async () => {
      const gone = loaded(frame);
      await guest.do('go', { url: `${secondOrigin}/test/fixtures/guest.html` });
      await expectFreed();
      await gone;
      expect(acceptor.connections).to.equal(0);
      const back = loaded(frame);
      frame.src = urlOf(origin);
      await back;
      await expectServedAgain();
    });

    it('is freed when it is removed', async () => {
      frame.remove();
      await expectFreed();
      expect(connections).to.have.length(1);
    });
  });
}
