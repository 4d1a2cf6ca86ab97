import type { Store, WriteOptions } from '@inpage-mcp/store';

/** Makes what the writes below work on: a note, whose id it returns, and the files `a` and `b`. */
export async function prepare(store: Store): Promise<string> {
  await store.files.write('a', new Blob(['bytes of a']));
  await store.files.write('b', new Blob(['bytes of b']));
  const { id } = await store.notes.create({ title: 'kept', text: 'kept', tags: ['kept'] });
  return id;
}

/** A write of the store, named by its method. */
export interface EveryWrite {
  name: string;
  run(store: Store, id: string, options: WriteOptions): Promise<unknown>;
}

/** One of each, all of which succeed on what `prepare` has made. */
export const everyWrite: readonly EveryWrite[] = [
  {
    name: 'notes.create',
    run: ({ notes }, _id, options) =>
      notes.create({ title: 'new', text: 'new text', audience: ['user'], priority: 1 }, options),
  },
  {
    name: 'notes.update',
    run: ({ notes }, id, options) => notes.update(id, { text: 'changed', priority: 0 }, options),
  },
  { name: 'notes.append', run: ({ notes }, id, options) => notes.append(id, 'added', options) },
  { name: 'notes.delete', run: ({ notes }, id, options) => notes.delete(id, options) },
  {
    name: 'files.write',
    run: ({ files }, _id, options) => files.write('a', new Blob(['other bytes']), options),
  },
  {
    name: 'files.update',
    run: ({ files }, _id, options) => files.update('a', { audience: ['assistant'] }, options),
  },
  {
    name: 'files.move',
    run: ({ files }, _id, options) => files.move('a', 'b', { overwrite: true, ...options }),
  },
  { name: 'files.delete', run: ({ files }, _id, options) => files.delete('a', options) },
];

/** All that is stored, to see that nothing has changed. */
export async function everything(store: Store): Promise<unknown> {
  const { notes } = await store.notes.list();
  const { files } = await store.files.list();
  return {
    notes: await Promise.all(notes.map(({ id }) => store.notes.get(id))),
    files: await Promise.all(
      files.map(async (file) => [file, await (await store.files.read(file.path)).blob.text()]),
    ),
  };
}
