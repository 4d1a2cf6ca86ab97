import { expect } from '@esm-bundle/chai';
import type { StoreChange, StoreScope, StoreView } from '@inpage-mcp/store';
import { failureOf as rejectionOf } from '../support/failure.js';
import { useStore } from './store-under-test.js';

async function failureOf(promise: Promise<unknown>): Promise<Error> {
  return (await rejectionOf(promise)) as Error;
}

const NOTHING: StoreScope = { notes: new Set(), files: { paths: new Set(), folders: new Set() } };

function filesIn(...roots: string[]): StoreScope {
  const folders = roots.filter((root) => root.endsWith('/')).map((root) => root.slice(0, -1));
  const paths = roots.filter((root) => !root.endsWith('/'));
  return { ...NOTHING, files: { paths: new Set(paths), folders: new Set(folders) } };
}

function notesOf(...ids: string[]): StoreScope {
  return { ...NOTHING, notes: new Set(ids) };
}

const PATHS = ['a.txt', 'a/b.txt', 'a/c/d.txt', 'a/c/e.txt', 'ab/f.txt', 'b/g.txt', 'c.txt'];

describe('a part of the store', () => {
  const stored = useStore();
  let ids: string[];

  beforeEach(async () => {
    const { notes, files } = stored.store;
    ids = [];
    for (const [title, text] of [
      ['first', 'apples'],
      ['second', 'apples and pears'],
      ['third', 'pears'],
    ] as const) {
      ids.push((await notes.create({ title, text })).id);
    }
    for (const path of PATHS) await files.write(path, new Blob([path]));
  });

  const within = (scope: StoreScope): StoreView => stored.store.within(() => scope);

  describe('of notes', () => {
    it('lists, counts and finds only these', async () => {
      const { notes } = within(notesOf(ids[0]!, ids[2]!, 'none'));
      expect((await notes.list()).notes.map(({ title }) => title)).to.eql(['third', 'first']);
      expect(await notes.count()).to.equal(2);
      const found = await notes.search('apples');
      expect(found.matches.map(({ note }) => note.title)).to.eql(['first']);
      expect(found.total).to.equal(1);
      const summaries = [];
      for await (const some of notes.summaries()) summaries.push(...some);
      expect(summaries).to.have.length(2);
    });

    it('pages', async () => {
      const { notes } = within(notesOf(...ids));
      const first = await notes.list({ limit: 2 });
      expect(first.notes.map(({ title }) => title)).to.eql(['third', 'second']);
      const second = await notes.list({ limit: 2, after: first.next! });
      expect(second.notes.map(({ title }) => title)).to.eql(['first']);
      expect(second.next).to.equal(undefined);
    });

    it('reports the progress of a search in its own numbers', async () => {
      const { notes } = within(notesOf(ids[1]!));
      const progress: number[][] = [];
      await notes.search('apples', { onProgress: (done, total) => progress.push([done, total]) });
      expect(progress).to.eql([[1, 1]]);
    });

    it('has no others, in the words for what does not exist', async () => {
      const { notes } = within(notesOf(ids[0]!));
      const outside = ids[1]!;
      const missing = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
      const calls: ((id: string) => Promise<unknown>)[] = [
        (id) => notes.get(id),
        (id) => notes.update(id, { title: 'x' }),
        (id) => notes.update(id, { title: 'x' }, { idempotencyKey: 'k' }),
        (id) => notes.update(id, { title: 'x' }, { expectedRevision: 7 }),
        (id) => notes.append(id, 'x'),
        (id) => notes.delete(id),
        (id) => notes.delete(id, { expectedRevision: 7 }),
      ];
      for (const call of calls) {
        const denied = await failureOf(call(outside));
        const absent = await failureOf(call(missing));
        expect(denied).to.have.property('code', 'not-found');
        expect(denied.message.replace(outside, '')).to.equal(absent.message.replace(missing, ''));
      }
      expect(await stored.store.notes.get(outside)).to.include({ title: 'second', revision: 1 });
    });

    it('takes no new ones unless it is all of them', async () => {
      const error = await failureOf(
        within(notesOf(ids[0]!)).notes.create({ title: 'new', text: '' }),
      );
      expect(error).to.have.property('code', 'forbidden');
      expect(await stored.store.notes.count()).to.equal(3);
      await within({ ...NOTHING, notes: 'all' }).notes.create({ title: 'new', text: '' });
      expect(await stored.store.notes.count()).to.equal(4);
    });

    it('changes the ones it has', async () => {
      const { notes } = within(notesOf(ids[0]!));
      await notes.update(ids[0]!, { title: 'changed' });
      await notes.append(ids[0]!, 'more');
      expect(await stored.store.notes.get(ids[0]!)).to.include({ title: 'changed', revision: 3 });
      await notes.delete(ids[0]!);
      expect(await stored.store.notes.count()).to.equal(2);
    });

    it('keeps what is created in different parts in order', async () => {
      const everything: StoreScope = { notes: 'all', files: 'all' };
      const created = [];
      for (const view of [stored.store, within(everything), stored.store, within(everything)]) {
        created.push((await view.notes.create({ title: '', text: '' })).id);
      }
      expect(created).to.eql(created.toSorted());
    });
  });

  describe('of files', () => {
    const listed = async (scope: StoreScope, options = {}): Promise<string[]> =>
      (await within(scope).files.list(options)).files.map(({ path }) => path);

    it('lists and counts folders and single paths in order', async () => {
      const scope = filesIn('c.txt', 'a/c/', 'b/', 'a.txt', 'none/');
      const expected = ['a.txt', 'a/c/d.txt', 'a/c/e.txt', 'b/g.txt', 'c.txt'];
      expect(await listed(scope)).to.eql(expected);
      expect(await within(scope).files.count()).to.equal(5);
      expect(await listed(scope, { folder: 'a' })).to.eql(['a/c/d.txt', 'a/c/e.txt']);
      expect(await within(scope).files.count({ folder: 'a' })).to.equal(2);
      expect(await listed(filesIn('a/'), { folder: 'a/c' })).to.eql(['a/c/d.txt', 'a/c/e.txt']);
      expect(await listed(scope, { folder: 'ab' })).to.eql([]);
    });

    it('never takes a folder for another whose name begins like it', async () => {
      expect(await listed(filesIn('a/'))).to.eql(['a/b.txt', 'a/c/d.txt', 'a/c/e.txt']);
      for (const path of ['ab/f.txt', 'a.txt']) {
        const error = await failureOf(within(filesIn('a/')).files.get(path));
        expect(error).to.have.property('code', 'not-found');
      }
    });

    it('lists once what is named twice', async () => {
      expect(await listed(filesIn('a/', 'a/c/', 'a/b.txt', 'a/c/d.txt'))).to.have.length(3);
    });

    it('pages across its parts', async () => {
      const scope = filesIn('a/', 'b/', 'c.txt');
      const paths: string[] = [];
      let after: string | undefined;
      do {
        const page = await within(scope).files.list({ limit: 2, ...(after && { after }) });
        expect(page.files.length).to.be.within(1, 2);
        paths.push(...page.files.map(({ path }) => path));
        after = page.next;
      } while (after !== undefined);
      expect(paths).to.eql(['a/b.txt', 'a/c/d.txt', 'a/c/e.txt', 'b/g.txt', 'c.txt']);
    });

    it('leads to names only where there is one of its own', async () => {
      const children = async (prefix: string, ...roots: string[]): Promise<string[]> =>
        (await within(filesIn(...roots)).files.children(prefix)).names;
      expect(await children('', 'a/c/', 'c.txt', 'none.txt', 'nothing/')).to.eql(['a/', 'c.txt']);
      expect(await children('a/', 'a/c/')).to.eql(['a/c/']);
      expect(await children('a/c/', 'a/c/')).to.eql(['a/c/d.txt', 'a/c/e.txt']);
      expect(await children('a/', 'a/')).to.eql(['a/b.txt', 'a/c/']);
      expect(await children('a/', 'b/')).to.eql([]);
      const limited = await within(filesIn('a/', 'b/', 'c.txt')).files.children('', { limit: 2 });
      expect(limited).to.eql({ names: ['a/', 'b/'], total: 3 });
    });

    it('reads no others to list, count, name, find and complete its own', async () => {
      const read = new Set<string>();
      const { getAll, getAllKeys } = IDBObjectStore.prototype;
      const record = (store: IDBObjectStore, request: IDBRequest<unknown[]>): void =>
        request.addEventListener('success', () => {
          if (store.name !== 'files') return;
          for (const one of request.result) {
            read.add(typeof one === 'string' ? one : (one as { path: string }).path);
          }
        });
      IDBObjectStore.prototype.getAll = function (...args) {
        const request = getAll.apply(this, args);
        record(this, request);
        return request;
      };
      IDBObjectStore.prototype.getAllKeys = function (...args) {
        const request = getAllKeys.apply(this, args);
        record(this, request as IDBRequest<unknown[]>);
        return request;
      };
      try {
        const { files } = within(filesIn('a/c/', 'b/g.txt', 'none/', 'none.txt'));
        expect((await files.list()).files).to.have.length(3);
        expect(await files.count()).to.equal(3);
        for await (const names of files.names()) expect(names).to.have.length(3);
        expect((await files.search('txt')).total).to.equal(3);
        expect((await files.search('tzt')).total).to.equal(0);
        expect((await files.search('d')).matches.map(({ path }) => path)).to.eql(['a/c/d.txt']);
        expect((await files.children('')).names).to.eql(['a/', 'b/']);
      } finally {
        Object.assign(IDBObjectStore.prototype, { getAll, getAllKeys });
      }
      expect([...read]).to.have.members(['a/c/d.txt', 'a/c/e.txt', 'b/g.txt']);
    });

    it('has no others, in the words for what does not exist', async () => {
      const { files } = within(filesIn('a/'));
      const calls: ((path: string) => Promise<unknown>)[] = [
        (path) => files.get(path),
        (path) => files.read(path),
        (path) => files.update(path, { priority: 1 }),
        (path) => files.delete(path),
        (path) => files.delete(path, { expectedRevision: 7, idempotencyKey: 'k' }),
        (path) => files.move(path, 'a/new.txt'),
      ];
      for (const call of calls) {
        const denied = await failureOf(call('b/g.txt'));
        const absent = await failureOf(call('a/none.txt'));
        expect(denied).to.have.property('code', 'not-found');
        expect(denied.message).to.equal(absent.message.replace('a/none.txt', 'b/g.txt'));
      }
      expect(await stored.store.files.get('b/g.txt')).to.include({ revision: 1 });
    });

    it('writes nothing outside, whether or not a file is there', async () => {
      const { files } = within(filesIn('a/'));
      const messages = [];
      for (const path of ['b/g.txt', 'b/h.txt']) {
        for (const write of [files.write(path, new Blob(['x'])), files.move('a/b.txt', path)]) {
          const error = await failureOf(write);
          expect(error).to.have.property('code', 'forbidden');
          messages.push(error.message.replace(path, ''));
        }
      }
      expect(new Set(messages)).to.have.property('size', 1);
      expect(await stored.store.files.count()).to.equal(PATHS.length);
      await files.write('a/new/one.txt', new Blob(['x']));
      expect(await stored.store.files.count()).to.equal(PATHS.length + 1);
    });
  });

  it('receives only its own changes', async () => {
    const view = within({ ...filesIn('a/'), notes: new Set([ids[0]!]) });
    const received: StoreChange[] = [];
    view.changes.listen((changes) => received.push(...changes));
    await stored.store.notes.update(ids[1]!, { title: 'x' });
    await stored.store.files.write('b/g.txt', new Blob(['x']));
    await stored.store.notes.update(ids[0]!, { title: 'x' });
    await stored.store.files.move('a/b.txt', 'b/b.txt');
    expect(received.map(({ key, type }) => [key, type])).to.eql([
      [ids[0], 'updated'],
      ['a/b.txt', 'deleted'],
    ]);
  });

  it('may become another at any time, and reports what was denied', async () => {
    const denied: string[] = [];
    const ondenied = (_kind: string, key: string): void => void denied.push(key);
    let scope: StoreScope = { ...filesIn('a/'), ondenied };
    const view = stored.store.within(() => scope);
    await view.files.get('a/b.txt');
    scope = { ...filesIn('b/'), ondenied };
    await failureOf(view.files.get('a/b.txt'));
    await failureOf(view.notes.get(ids[0]!));
    await view.files.get('b/g.txt');
    expect(denied).to.eql(['a/b.txt', ids[0]]);
  });
});
