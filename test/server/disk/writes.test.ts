import { expect } from '@esm-bundle/chai';
import type {
  DiskArguments,
  DiskTool,
} from '../../../packages/server/src/resources/disk/disk-types.js';
import { failureOf } from '../../support/failure.js';
import { eventually } from '../../support/within.js';
import { describeDisk, EVERYTHING, uriOf, useDisk } from '../../support/disk.js';

/** Does something in the middle of a save: when the file has been opened for it. */
async function onceOpened(something: () => Promise<void>, work: () => Promise<unknown>) {
  const { prototype } = FileSystemFileHandle;
  const { createWritable } = prototype;
  prototype.createWritable = async function (...args) {
    prototype.createWritable = createWritable;
    const writable = await createWritable.apply(this, args);
    await something();
    return writable;
  };
  return await work().finally(() => (prototype.createWritable = createWritable));
}

/**
 * Holds the saves of some work at their end until two of them are there, or one waits for the other's lock.
 */
async function untilBothSave<Value>(work: () => Promise<Value>): Promise<Value> {
  const { prototype } = FileSystemWritableFileStream;
  const { close } = prototype;
  let count = 0;
  prototype.close = async function () {
    count += 1;
    await eventually(async () => count > 1 || (await navigator.locks.query()).pending?.length);
    await close.call(this);
  };
  return await work().finally(() => (prototype.close = close));
}

type Write = [tool: DiskTool, input: DiskArguments];

const addressOf = (path: string): string => (path.includes(':') ? path : uriOf(path));
const saving = (path: string, text: string, more: DiskArguments = {}): Write => [
  'save_file',
  { path: addressOf(path), content: new Blob([text]), ...more },
];
const moving = (from: string, to: string, more: DiskArguments = {}): Write => [
  'move_file',
  { from: addressOf(from), to: addressOf(to), ...more },
];
const deleting = (path: string, more: DiskArguments = {}): Write => [
  'delete_file',
  { path: addressOf(path), ...more },
];

describeDisk('a write on the disk', () => {
  const own = useDisk();
  /** The same refusal is the answer instead of a question. */
  const expectRefused = async (write: Write, words: RegExp, permitted = EVERYTHING) => {
    const failure = (await failureOf(own.write(...write, permitted))) as Error;
    expect(failure, JSON.stringify(write)).to.have.property('name', 'ToolError');
    expect(failure.message).to.match(words);
    const asked = (await failureOf(own.disk.question(...write, permitted))) as Error;
    expect(asked.message).to.equal(failure.message);
  };
  const expectListed = async (...paths: string[]) =>
    expect(await own.listed()).to.eql(['', ...paths].map(uriOf));
  const known = async (path: string) => ({ expectedLastModified: await own.dateOf(path) });

  beforeEach(async () => {
    await own.save('old.txt', 'old');
    await own.mount({ write: true });
    await own.listed();
  });

  it('creates a file with its folders, which are listed at once', async () => {
    own.changes.length = 0;
    const saved = await own.write(...saving('new/deep/a.txt', 'text'));
    const updatedAt = await own.dateOf('new/deep/a.txt');
    const uri = uriOf('new/deep/a.txt');
    const facts = { path: 'project/new/deep/a.txt', uri, mediaType: 'text/plain', size: 4 };
    expect(saved).to.eql({ ...facts, updatedAt });
    expect(await own.textOf('new/deep/a.txt')).to.equal('text');
    await expectListed('new/', 'new/deep/', 'new/deep/a.txt', 'old.txt');
    const changed = own.changes.filter(({ listChanged }) => listChanged).map((one) => one.uri);
    expect(changed).to.include.members(['', 'new/', 'new/deep/', 'new/deep/a.txt'].map(uriOf));
  });

  it('is in the next list of its folder, even if the folder was being read', async () => {
    await own.plant('sub/a.txt');
    const { prototype } = FileSystemDirectoryHandle;
    const { values } = prototype;
    prototype.values = async function* (this: FileSystemDirectoryHandle) {
      prototype.values = values;
      const before: unknown[] = [];
      for await (const entry of this.values()) before.push(entry);
      await own.write(...saving('sub/b.txt', 'b'));
      yield* before;
    } as never;
    const read = async () => (await own.readFolder(uriOf('sub/'))).children.map(({ name }) => name);
    expect(await read().finally(() => (prototype.values = values))).to.eql(['a.txt']);
    expect(await read()).to.eql(['a.txt', 'b.txt']);
  });

  it('replaces only the file that the caller knows', async () => {
    await expectRefused(saving('old.txt', 'a'), /exists: read it/);
    const before = await known('old.txt');
    await own.write(...saving('old.txt', 'new', before));
    expect(await own.textOf('old.txt')).to.equal('new');
    // It may have been saved within the same millisecond.
    // timed: until the next millisecond.
    while ((await own.dateOf('old.txt')) === before.expectedLastModified)
      await own.save('old.txt', 'new');
    const noDate = { expectedLastModified: 'no date' };
    for (const date of [before, noDate])
      for (const write of [saving('old.txt', 'b', date), deleting('old.txt', date)])
        await expectRefused(write, /was changed in between .*: read it again/);
    await expectRefused(saving('gone', 'b', before), /^project\/gone is gone\.$/);
    expect(await own.textOf('old.txt')).to.equal('new');
    expect(await own.namesIn('')).to.eql(['old.txt']);
  });

  it('replaces an empty file, which may be what is left of a save, but not what comes into it', async () => {
    await own.plant('new.txt');
    await own.disk.question(...saving('new.txt', 'text'), EVERYTHING);
    await own.write(...saving('new.txt', 'text'));
    expect(await own.textOf('new.txt')).to.equal('text');
    await expectRefused(saving('new.txt', 'more'), /exists: read it/);
    await own.plant('other.txt');
    const refused = onceOpened(
      () => own.save('other.txt', 'other'),
      () => own.write(...saving('other.txt', 'mine')),
    );
    expect(await failureOf(refused))
      .to.have.property('message')
      .that.matches(/changed in between/);
    expect(await own.textOf('other.txt')).to.equal('other');
  });

  it('moves a file, over another one only if that is said', async () => {
    await own.plant('to/b', 'new/');
    await expectRefused(moving('old.txt', 'to/b'), /project\/to\/b exists: give overwrite/);
    await expectRefused(moving('none', 'to/c'), /^There is no file project\/none\.$/);
    const stale = { overwrite: true, expectedLastModified: new Date(0).toISOString() };
    await expectRefused(moving('old.txt', 'to/b', stale), /old\.txt was changed in between/);
    const moved = await own.write(...moving('old.txt', 'to/b', { overwrite: true }));
    const facts = { path: 'project/to/b', uri: uriOf('to/b'), from: uriOf('old.txt'), size: 3 };
    expect(moved).to.include(facts);
    await expectListed('new/', 'to/', 'to/b');
    await own.write(...moving('to/b', 'new/c'));
    await expectListed('new/', 'new/c', 'to/');
    await expectRefused(moving('new/c', 'new/c', { overwrite: true }), /moved to itself/);
    expect(await own.textOf('new/c')).to.equal('old');
  });

  it('deletes a file, and no folder', async () => {
    await own.plant('empty/', 'b');
    const deleted = { path: 'project/old.txt', uri: uriOf('old.txt'), deleted: true };
    expect(await own.write(...deleting('old.txt'))).to.eql(deleted);
    await expectListed('b', 'empty/');
    await expectRefused(deleting('old.txt'), /^There is no file project\/old\.txt\.$/);
    for (const path of ['empty/', '']) await expectRefused(deleting(path), /is not the address/);
    for (const path of ['empty', 'b/x']) await expectRefused(deleting(path), /path is a file/);
    expect(await own.namesIn('')).to.eql(['b', 'empty']);
  });

  it('goes to no folder, to no other place, and to none that is not permitted', async () => {
    await own.plant('src/a');
    await own.mount({ name: 'locked', guests: true }, await own.folderAt('src'));
    await own.mount({ write: true, guests: true });
    const guest = own.guest(uriOf('src/'), 'disk:///locked/');
    const elsewhere =
      'file:///old.txt disk:///none/x disk:///project/%2e%2e/x disk:///project/A%2fb';
    for (const path of [
      ...elsewhere.split(' '),
      'disk:///',
      '',
      'src/',
      'a/../b',
      'disk:///project',
    ])
      await expectRefused(saving(path, 'x'), /is not the address of a file in a folder/);
    for (const [from, to] of ['old.txt src/x', 'src/a x'].map((paths) => paths.split(' ')))
      await expectRefused(moving(from!, to!), /is not the address of a file/, guest);
    for (const path of ['x', 'old.txt'])
      await expectRefused(saving(path, 'x'), /is not the address of a file/, guest);
    for (const path of ['src', 'old.txt/x'])
      await expectRefused(saving(path, 'x'), /path is a file/);
    for (const path of ['disk:///locked/a', 'disk:///locked/new']) {
      await expectRefused(saving(path, 'x'), /locked was opened for reading only/, guest);
      await expectRefused(moving('src/a', path), /locked was opened for reading only/, guest);
    }
    await own.write(...saving('src/new', 'x'), guest);
    expect(await own.namesIn('src')).to.eql(['a', 'new']);
    expect(await own.namesIn('')).to.eql(['old.txt', 'src']);
  });

  it('leaves the old file and no new one when it is aborted', async () => {
    for (const write of [saving('old.txt', 'new', await known('old.txt')), saving('n', 'new')]) {
      const controller = new AbortController();
      const { signal } = controller;
      const aborted = onceOpened(
        async () => controller.abort(new Error('enough')),
        () => own.write(...write, EVERYTHING, { signal }),
      );
      expect(await failureOf(aborted)).to.have.property('message', 'enough');
    }
    expect(await own.namesIn('')).to.eql(['old.txt']);
    expect(await own.textOf('old.txt')).to.equal('old');
  });

  it('leaves what another program has saved in the middle', async () => {
    const date = await known('old.txt');
    for (const path of ['old.txt', 'new.txt']) {
      const write = saving(path, 'mine', path === 'old.txt' ? date : {});
      const refused = onceOpened(
        () => own.save(path, 'other'),
        () => own.write(...write),
      );
      expect(await failureOf(refused)).to.have.property('name', 'ToolError');
      expect(await own.textOf(path)).to.equal('other');
    }
  });

  it('is refused when another one of the same file is first', async () => {
    const date = await known('old.txt');
    // timed: until the next millisecond, so that the first save has another date.
    while (Date.now() <= Date.parse(date.expectedLastModified)) await own.namesIn('');
    await own.plant('A', 'B');
    await own.mount({ name: 'inner', write: true }, await own.folderAt('sub'));
    const pairs: [one: Write, other: Write][] = [
      [saving('old.txt', 'one', date), saving('old.txt', 'other', date)],
      [saving('new', 'one'), saving('new', 'other')],
      [saving('sub/new', 'one'), saving('disk:///inner/new', 'other')],
      [saving('C', 'one'), moving('A', 'C')],
    ];
    for (const pair of pairs) {
      const outcomes = await untilBothSave(() =>
        Promise.allSettled(pair.map((write) => own.write(...write))),
      );
      const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
      expect(refused, JSON.stringify(pair)).to.have.length(1);
      expect(refused[0]).to.have.property('name', 'ToolError');
    }
    for (const path of ['old.txt', 'new', 'sub/new', 'C'])
      expect(await own.textOf(path), path).to.equal('one');
    const moves = ['A', 'B'].map((from) => own.write(...moving(from, 'D')));
    const ends = (await Promise.allSettled(moves)).map(({ status }) => status);
    expect(ends).to.have.members(['fulfilled', 'rejected']);
  });

  it('stops waiting for another one when it is aborted, and no two wait for each other', async () => {
    await own.plant('a/x', 'b/');
    await own.write(...moving('a/x', 'b/x'));
    const controller = new AbortController();
    const name = 'inpage-mcp disk: x';
    await navigator.locks.request(name, async () => {
      const write = own.write(...saving('x', ''), EVERYTHING, { signal: controller.signal });
      controller.abort(new Error('enough'));
      expect(await failureOf(write)).to.have.property('message', 'enough');
    });
    const moves = [moving('b/x', 'y'), moving('old.txt', 'b/z')];
    await Promise.all(moves.map((write) => own.write(...write)));
    await Promise.all(
      [moving('y', 'a/z'), moving('b/z', 'a/y')].map((write) => own.write(...write)),
    );
    expect(await own.namesIn('a')).to.eql(['y', 'z']);
  });

  it('leaves a file that comes to the place of a move after its check', async () => {
    await own.plant('to/');
    const { prototype } = FileSystemDirectoryHandle;
    const { getDirectoryHandle } = prototype;
    prototype.getDirectoryHandle = async function (name, options) {
      const folder = await getDirectoryHandle.call(this, name, options);
      if (!options?.create) return folder;
      prototype.getDirectoryHandle = getDirectoryHandle;
      await own.save('to/b', 'other');
      return folder;
    };
    const move = own.write(...moving('old.txt', 'to/b'));
    const refused = failureOf(move).finally(
      () => (prototype.getDirectoryHandle = getDirectoryHandle),
    );
    expect(await refused)
      .to.have.property('message')
      .that.matches(/to\/b exists: give overwrite/);
    expect(await own.textOf('to/b')).to.equal('other');
  });

  it('says why the browser has refused it at its end', async () => {
    const date = await known('old.txt');
    const { prototype } = FileSystemWritableFileStream;
    const { close } = prototype;
    for (const [name, words] of [
      ['AbortError', /The browser has refused to write this content/],
      ['InvalidStateError', /was changed in between: read it again/],
      ['InvalidModificationError', /does not permit this change/],
      ['NotFoundError', /is gone/],
      ['UnknownError', /read the file to see/],
    ] as const) {
      prototype.close = () => Promise.reject(new DOMException('', name));
      const saved = failureOf(own.write(...saving('old.txt', 'new', date)));
      const failure = await saved.finally(() => (prototype.close = close));
      expect(failure, name).to.have.property('name', 'ToolError');
      expect(failure, name).to.have.property('message').that.matches(words);
    }
    expect(await own.textOf('old.txt')).to.equal('old');
    const aborted = failureOf(
      own.write(...saving('old.txt', 'new', date), EVERYTHING, { signal: AbortSignal.abort() }),
    );
    expect(await aborted).to.have.property('name', 'AbortError');
  });

  /** Hides a file, as if it were gone, from when it has been written. */
  const hidden = async <Value>(name: string, work: () => Promise<Value>): Promise<Value> => {
    const { prototype } = FileSystemFileHandle;
    const { getFile } = prototype;
    prototype.getFile = async function () {
      const file = await getFile.call(this);
      if (this.name === name && file.size > 0) throw new DOMException('', 'NotFoundError');
      return file;
    };
    return await work().finally(() => (prototype.getFile = getFile));
  };

  it('has succeeded although the file is gone at once', async () => {
    const saved = await hidden('new.md', () => own.write(...saving('new.md', '1234')));
    const facts = { mediaType: 'text/markdown', size: 4 };
    expect(saved).to.include({ ...facts, uri: uriOf('new.md') });
    expect(await own.textOf('new.md')).to.equal('1234');
    const moved = await hidden('to.md', () => own.write(...moving('new.md', 'to.md')));
    const updatedAt = await own.dateOf('to.md');
    expect(moved).to.include({ ...facts, uri: uriOf('to.md'), updatedAt });
  });

  it('is refused when the file is gone before its end', async () => {
    const date = await known('old.txt');
    let refused: Promise<unknown> | undefined;
    const write = onceOpened(
      () => new Promise((resolve) => void hidden('old.txt', () => (resolve(), refused!))),
      () => (refused = failureOf(own.write(...saving('old.txt', 'new', date)))),
    );
    expect(await write)
      .to.have.property('message')
      .that.matches(/changed in between/);
    expect(await own.textOf('old.txt')).to.equal('old');
  });

  it('says in its question what is written where, and what is lost', async () => {
    const date = await known('old.txt');
    const strange = 'x" (1 bytes)?\u202e ok';
    await own.plant('b', strange);
    const [old, b, x] = await Promise.all(['old.txt', 'b', strange].map((one) => own.dateOf(one)));
    const from = 'Move "project/old.txt" (3 bytes)';
    const words: [write: Write, words: string][] = [
      [saving('n', '1'), 'Save a new file on the disk: "project/n" (1 bytes)?'],
      [
        saving('old.txt', '12', date),
        `Save 2 bytes over "project/old.txt" on the disk (now 3 bytes, ${old})?`,
      ],
      [moving('old.txt', 'n'), `${from} to "project/n" on the disk?`],
      [
        moving('old.txt', 'b', { overwrite: true }),
        `${from} over "project/b" (0 bytes, ${b}) on the disk?`,
      ],
      [deleting('old.txt'), `Delete "project/old.txt" from the disk for good (3 bytes, ${old})?`],
      [
        deleting(strange),
        `Delete "project/x' (1 bytes)? ok" from the disk for good (0 bytes, ${x})?`,
      ],
    ];
    for (const [write, question] of words)
      expect(await own.disk.question(...write, EVERYTHING)).to.equal(question);
  });
});
