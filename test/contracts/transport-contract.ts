import { expect } from '@esm-bundle/chai';
import type { JsonRpcMessage } from '@inpage-mcp/transport';

/** What both the SDK and this project ask of a transport. */
export interface ContractTransport {
  start(): Promise<void>;
  send(message: JsonRpcMessage): Promise<void>;
  close(): Promise<void>;
  onmessage?: (message: JsonRpcMessage) => void;
  onclose?: () => void;
}

/** Two ends of one connection, and what waits until all that was sent has arrived. */
export interface TransportPair {
  near: ContractTransport;
  far: ContractTransport;
  settled(): Promise<void>;
}

function ping(id: number): JsonRpcMessage {
  return { jsonrpc: '2.0', id, method: 'ping' };
}

/** The behaviour that every transport has, whatever carries it. */
export function describeTransportContract(name: string, createPair: () => TransportPair): void {
  describe(`${name} keeps the transport contract`, () => {
    let pair: TransportPair;
    let received: { near: JsonRpcMessage[]; far: JsonRpcMessage[] };
    let closes: { near: number; far: number };

    beforeEach(() => {
      pair = createPair();
      const [messages, ends] = [{ near: [], far: [] } as typeof received, { near: 0, far: 0 }];
      // The end of an earlier pair may come late.
      [received, closes] = [messages, ends];
      for (const end of ['near', 'far'] as const) {
        pair[end].onmessage = (message) => messages[end].push(message);
        pair[end].onclose = () => {
          ends[end] += 1;
        };
      }
    });

    afterEach(async () => {
      await pair.near.close();
    });

    /** When so many messages have come: in Firefox one port may be faster than another. */
    const arrived = async (end: 'near' | 'far', count: number): Promise<void> => {
      while (received[end].length < count) await pair.settled();
    };

    it('delivers every message once, in the order of sending, both ways', async () => {
      await pair.near.start();
      await pair.far.start();
      const ids = Array.from({ length: 100 }, (_, index) => index);
      for (const id of ids) await pair.near.send(ping(id));
      for (const id of ids) await pair.far.send(ping(id + 1000));
      await Promise.all([arrived('near', ids.length), arrived('far', ids.length)]);
      await pair.settled();
      expect(received.far).to.deep.equal(ids.map((id) => ping(id)));
      expect(received.near).to.deep.equal(ids.map((id) => ping(id + 1000)));
    });

    it('keeps messages for an end that listens later', async () => {
      const { onmessage } = pair.far;
      delete pair.far.onmessage;
      await pair.near.start();
      await pair.near.send(ping(1));
      await pair.near.send(ping(2));
      await pair.settled();
      if (onmessage) pair.far.onmessage = onmessage;
      await pair.far.start();
      await pair.settled();
      expect(received.far).to.deep.equal([ping(1), ping(2)]);
    });

    it('fires onclose once on both sides', async () => {
      await pair.near.start();
      await pair.far.start();
      await pair.near.close();
      await pair.settled();
      await pair.near.close();
      await pair.far.close();
      await pair.settled();
      expect(closes).to.deep.equal({ near: 1, far: 1 });
    });

    it('delivers what was sent before the close, and nothing after it', async () => {
      await pair.near.start();
      await pair.far.start();
      await pair.near.send(ping(1));
      await pair.near.close();
      await pair.settled();
      const late = await pair.near.send(ping(2)).then(
        () => undefined,
        (error: unknown) => error,
      );
      await pair.settled();
      expect(late).to.be.instanceOf(Error);
      expect(received.far).to.deep.equal([ping(1)]);
    });

    it('refuses to send once the other side has closed', async () => {
      await pair.near.start();
      await pair.far.start();
      await pair.far.close();
      await pair.settled();
      const failure = await pair.near.send(ping(1)).then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(failure).to.be.instanceOf(Error);
    });
  });
}
