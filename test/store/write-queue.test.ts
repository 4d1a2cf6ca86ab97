import { expect } from '@esm-bundle/chai';
import { failureOf } from '../support/failure.js';
import { useStore } from './store-under-test.js';

describe('many writes at once', () => {
  const test = useStore();

  const create = (title: string, signal?: AbortSignal) =>
    test.store.notes.create({ title, text: '' }, signal ? { signal } : {});

  it('are all done, in their order', async () => {
    const titles = Array.from({ length: 60 }, (_, index) => `${index}`);
    await Promise.all(titles.map((title) => create(title)));
    const changedKeys = test.changes.map(({ key }) => key);
    const { notes } = await test.store.notes.list();
    const inOrder = notes.toReversed();
    expect(inOrder.map(({ title }) => title)).to.deep.equal(titles);
    expect(inOrder.map(({ id }) => id)).to.deep.equal(changedKeys);
  });

  it('do not keep a read waiting until the last of them', async () => {
    let isDone = false;
    const all = Promise.all(Array.from({ length: 200 }, (_, n) => create(`${n}`))).then(() => {
      isDone = true;
    });
    await create('first to wait for');
    // Behind those before it; those after it wait for nobody.
    const later = Promise.all(Array.from({ length: 200 }, (_, n) => create(`${n}`)));
    await test.store.notes.list();
    expect(isDone).to.equal(true);
    let isLaterDone = false;
    void later.then(() => (isLaterDone = true));
    await test.store.notes.list();
    expect(isLaterDone).to.equal(false);
    await Promise.all([all, later]);
  });

  it('can be cancelled while they wait', async () => {
    const controller = new AbortController();
    const before = Array.from({ length: 20 }, (_, n) => create(`${n}`));
    const cancelled = Array.from({ length: 5 }, () => create('never', controller.signal));
    const after = create('after');
    const reason = new Error('enough');
    controller.abort(reason);
    for (const write of cancelled) expect(await failureOf(write)).to.equal(reason);
    await Promise.all([...before, after]);
    expect(await test.store.notes.count()).to.equal(21);
  });

  it('keep no place for those that were cancelled while they waited', async () => {
    const controller = new AbortController();
    const before = Array.from({ length: 8 }, (_, n) => create(`${n}`));
    const cancelled = Array.from({ length: 8 }, () => create('never', controller.signal));
    const reason = new Error('enough');
    controller.abort(reason);
    for (const write of cancelled) expect(await failureOf(write)).to.equal(reason);
    await Promise.all(before);
    await create('after');
    expect(await test.store.notes.count()).to.equal(9);
  });
});
