import { expect } from '@esm-bundle/chai';
// Internal to the package: so many questions take a user too long.
import {
  MAX_WAITING_QUESTIONS,
  ConfirmQueue,
} from '../../packages/server/src/access/confirm-queue.js';

describe('questions to the page', () => {
  const signal = new AbortController().signal;
  let asked: string[];
  let answerFirst: () => void;
  let questions: ConfirmQueue;

  beforeEach(() => {
    asked = [];
    const confirm = ({ message }: { message: string }): Promise<boolean> => {
      asked.push(message);
      if (asked.length > 1) return Promise.resolve(true);
      return new Promise((resolve) => (answerFirst = () => resolve(true)));
    };
    questions = new ConfirmQueue(() => confirm, false);
  });

  const ask = (message: string, until = signal): Promise<boolean> =>
    questions.ask({ tool: 'a', message, arguments: {} }, until);

  /** A dialog is open, and so many wait for it. */
  const fill = async (until = signal): Promise<Promise<boolean>[]> => {
    const first = ask('first');
    await Promise.resolve();
    await Promise.resolve();
    const waiting = Array.from({ length: MAX_WAITING_QUESTIONS }, (_, n) => ask(`${n}`, until));
    return [first, ...waiting];
  };

  it('are as many as may wait, and one more is a no', async () => {
    const all = await fill();
    expect(await ask('one more')).to.equal(false);
    answerFirst();
    expect(await Promise.all(all)).to.deep.equal(all.map(() => true));
    expect(asked).to.have.length(MAX_WAITING_QUESTIONS + 1);
    expect(await ask('later')).to.equal(true);
  });

  it('count until their turn also where they were taken back', async () => {
    const taking = new AbortController();
    const [first, ...waiting] = await fill(taking.signal);
    const settled = Promise.allSettled(waiting);
    taking.abort();
    await settled;
    expect(await ask('one more')).to.equal(false);
    answerFirst();
    expect(await first).to.equal(true);
    expect(await ask('later')).to.equal(true);
    expect(asked).to.deep.equal(['first', 'later']);
  });
});
