import { expect } from '@esm-bundle/chai';
// Internal to the package: a server does too much for the order of messages to show.
import { FairPort, type FairPortHandlers } from '../../packages/protocol/src/inbound/fair-port.js';
import { MessageQueue, MessageTurns } from '../../packages/protocol/src/fairness/message-turns.js';
import { arrived } from '../support/arrived.js';
import { sizeOf } from '../support/test-size.js';

const MANY = sizeOf({ quick: 8_000, ci: 20_000, soak: 20_000 });

const queueOf = (maxWaiting?: number): MessageQueue =>
  new MessageQueue(new MessageTurns(), maxWaiting);

const NOTHING: FairPortHandlers = {
  onmessage: () => undefined,
  onundecodable: () => undefined,
  onoverflow: () => undefined,
  onslow: () => undefined,
};

/** Whether many messages that wait at a port come before one that is sent to another later. */
async function comeAtOnce(): Promise<boolean> {
  const [many, one] = [new MessageChannel(), new MessageChannel()];
  let count = 0;
  return await new Promise((resolve) => {
    one.port2.onmessage = () => resolve(count > 200);
    many.port2.onmessage = () => {
      count += 1;
      if (count === 8) one.port1.postMessage(undefined);
    };
    for (let number = 0; number < 10_000; number += 1) many.port1.postMessage(number);
  });
}

/** Works for so many milliseconds. */
function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('a fair port', () => {
  it('loses nothing, in order, and lets others have their turn in between', async () => {
    const flood = new MessageChannel();
    const other = new MessageChannel();
    const received: number[] = [];
    let whenAll!: () => void;
    const all = new Promise<void>((resolve) => {
      whenAll = resolve;
    });
    const fair = new FairPort(flood.port2, queueOf(), {
      ...NOTHING,
      onmessage(data) {
        received.push(data as number);
        work(0.1);
        if (received.length === MANY) whenAll();
      },
    });
    fair.start();
    other.port2.onmessage = () => other.port2.postMessage(received.length);
    for (let number = 0; number < MANY; number += 1) flood.port1.postMessage(number);

    // How many messages of the flood came before each answer to the other.
    const counts = [0];
    while (received.length < MANY) {
      const answered = new Promise<number>((resolve) => {
        other.port1.onmessage = ({ data }: MessageEvent<number>) => resolve(data);
      });
      other.port1.postMessage('ping');
      counts.push(await answered);
    }
    await all;
    expect(received).to.deep.equal(Array.from({ length: MANY }, (_, index) => index));
    // A second of work or two in turns of some milliseconds.
    expect(counts.length).to.be.above(10);
    const turns = counts.slice(1).map((count, index) => count - counts[index]!);
    expect(Math.max(...turns)).to.be.below(MANY / 4);
  });

  it('sends what is posted while it waits for its turn', async () => {
    const { port1, port2 } = new MessageChannel();
    const fair = new FairPort(port2, queueOf(), {
      ...NOTHING,
      onmessage(data) {
        work(1);
        queueMicrotask(() => fair.postMessage(data));
      },
    });
    fair.start();
    const answers: number[] = [];
    for (let number = 0; number < 100; number += 1) port1.postMessage(number);
    await new Promise<void>((resolve) => {
      port1.onmessage = ({ data }: MessageEvent<number>) => {
        answers.push(data);
        if (answers.length === 100) resolve();
      };
    });
    expect(answers).to.deep.equal(Array.from({ length: 100 }, (_, index) => index));
  });

  it('dispatches nothing after it was closed', async () => {
    for (const closing of [1, 20, 60]) {
      const { port1, port2 } = new MessageChannel();
      let received = 0;
      const closed = new Promise<void>((resolve) => {
        const fair = new FairPort(port2, queueOf(), {
          ...NOTHING,
          onmessage() {
            received += 1;
            work(1);
            if (received === closing) resolve(fair.close());
          },
        });
        fair.start();
      });
      for (let number = 0; number < 100; number += 1) port1.postMessage(number);
      await closed;
      await arrived();
      expect(received).to.equal(closing);
    }
  });

  it('goes on after a listener has thrown, which is reported', async () => {
    const COUNT = 100;
    const { port1, port2 } = new MessageChannel();
    let slow = 0;
    const received: number[] = [];
    let whenAll!: () => void;
    const all = new Promise<void>((resolve) => {
      whenAll = resolve;
    });
    const fair = new FairPort(port2, queueOf(), {
      ...NOTHING,
      onmessage(data) {
        received.push(data as number);
        work(data === 20 ? 10 : 1);
        if (received.length === COUNT) whenAll();
        throw new Error(`number ${data as number}`);
      },
      onslow() {
        slow += 1;
        throw new Error('slow');
      },
    });
    const reported: unknown[] = [];
    const { reportError } = globalThis;
    globalThis.reportError = (error) => reported.push(error);
    try {
      fair.start();
      for (let number = 0; number < COUNT; number += 1) port1.postMessage(number);
      await all;
      expect(received).to.deep.equal(Array.from({ length: COUNT }, (_, index) => index));
      const texts = reported.map(String);
      expect(slow).to.be.at.least(1);
      expect(texts.filter((text) => text === 'Error: slow')).to.have.length(slow);
      expect(texts.filter((text) => text.startsWith('Error: number'))).to.have.length(COUNT);
    } finally {
      globalThis.reportError = reportError;
      fair.close();
    }
  });

  /** Floods a port until more wait than may. Resolves with what was read until then. */
  async function flood(queue: MessageQueue): Promise<number[]> {
    const { port1, port2 } = new MessageChannel();
    const received: number[] = [];
    await new Promise<void>((resolve) => {
      const fair = new FairPort(port2, queue, {
        ...NOTHING,
        onmessage: (data) => received.push(data as number),
        onoverflow() {
          fair.close();
          resolve();
        },
      });
      fair.start();
      for (let number = 0; number < 10_000; number += 1) port1.postMessage(number);
    });
    return received;
  }

  it('reports when more wait than may, and before they are read', async function () {
    // Firefox gives each port its turn, with one message: no flood comes faster than it is read.
    if (!(await comeAtOnce())) this.skip();
    expect((await flood(queueOf(100))).length).to.be.below(100);
  });

  it('reports when more wait than may while a holder rests', async () => {
    const queue = queueOf(100);
    queue.restAfter(1_000);
    expect(await flood(queue)).to.deep.equal([]);
  });
});
