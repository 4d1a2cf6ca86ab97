// Folders of the disk as MCP resources: a real folder, which other programs change, in a real browser.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { inPage, testWithFolder } from './folders-browser.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./folders-browser.mjs').Desk} Desk */

/** How long a client may take until it lists what is on the disk, in ms. */
const CONVERGED_MS = 10_000;

/** The uris of what is on the disk. @param {Desk} desk */
async function onDisk({ root }) {
  const urisIn = async (/** @type {string} */ folder, /** @type {string} */ uri) => {
    const entries = await fs.readdir(folder, { withFileTypes: true });
    const shown = entries.filter(({ name }) => !/^\.|~$/.test(name));
    /** @type {string[]} */
    const uris = [uri];
    for (const entry of shown) {
      const address = uri + encodeURIComponent(entry.name);
      if (entry.isFile()) uris.push(address);
      if (entry.isDirectory())
        uris.push(...(await urisIn(join(folder, entry.name), `${address}/`)));
    }
    return uris;
  };
  return (await urisIn(root, 'disk:///project/')).toSorted();
}

/**
 * Follows the list as a client does: it lists again after each notification, and not otherwise.
 * @param {Page} page
 */
async function follow(page) {
  await page.evaluate(async () => {
    const { client, list } = /** @type {any} */ (globalThis).page;
    const seen = { uris: /** @type {string[]} */ ([]), reloads: 0 };
    Object.assign(globalThis, { seen });
    let isStale = false;
    const reload = async () => {
      while (isStale) {
        isStale = false;
        const uris = await list();
        Object.assign(seen, { uris: uris.toSorted(), reloads: seen.reloads + 1 });
      }
    };
    let loading = Promise.resolve();
    const onChange = () => {
      isStale = true;
      loading = loading.then(reload);
    };
    client.watchList(onChange);
    onChange();
    await loading;
  });
}

/**
 * Until the list that a client follows is that of the disk.
 * @param {Desk} desk
 * @param {Page} page
 * @param {string} after
 */
async function assertConverges(desk, page, after) {
  // Once, and compared in the page: who asks again and again takes the time of those who are asked.
  const wanted = await onDisk(desk);
  const isSeen = (/** @type {string} */ uris) =>
    /** @type {any} */ (globalThis).seen.uris.join() === uris;
  const options = { polling: 50, timeout: CONVERGED_MS };
  await page.waitForFunction(isSeen, wanted.join(), options).catch(() => undefined);
  const seen = await page.evaluate(() => /** @type {any} */ (globalThis).seen.uris);
  assert.deepEqual(seen, wanted, `The list is another than that of the disk after: ${after}.`);
}

/**
 * Counts the notifications of a uri from now on.
 * @param {Page} page
 * @param {string} uri
 */
async function watch(page, uri) {
  await page.evaluate(async (address) => {
    const { client } = /** @type {any} */ (globalThis).page;
    const counts = /** @type {any} */ (globalThis).counts ?? {};
    Object.assign(globalThis, { counts });
    counts[address] = 0;
    client.watch(address, () => (counts[address] += 1));
    await client.readResource(address).catch(() => undefined);
  }, uri);
}

/**
 * @param {Page} page
 * @param {string} uri
 * @param {string} after
 */
async function assertNotified(page, uri, after) {
  const end = performance.now() + CONVERGED_MS;
  while (performance.now() < end) {
    const count = await page.evaluate((one) => /** @type {any} */ (globalThis).counts[one], uri);
    if (count > 0) return;
    // timed: between two looks.
    await delay(10);
  }
  assert.fail(`There was no notification of ${uri} after: ${after}.`);
}

/** @param {Desk} desk */
async function start(desk, options = {}) {
  await desk.start();
  const page = await desk.openTab();
  await desk.mount(page, options);
  return page;
}

const A = 'disk:///project/a.txt';

testWithFolder('notifies of each way in which programs change a file', async (desk) => {
  await desk.write({ 'a.txt': 'one', 'sub/b.txt': 'b' });
  const page = await start(desk);
  await follow(page);
  await assertConverges(desk, page, 'mounting');
  const at = (/** @type {string} */ path) => join(desk.root, path);
  const outside = (/** @type {string} */ path) => join(desk.home, path);
  /** @type {[what: string, change: () => Promise<unknown>, uri?: string][]} */
  const changes = [
    ['an overwrite', () => fs.writeFile(at('a.txt'), 'two'), A],
    ['an append', () => fs.appendFile(at('a.txt'), ' and more'), A],
    ['a new file', () => fs.writeFile(at('new.txt'), '')],
    ['a rename', () => fs.rename(at('new.txt'), at('renamed.txt'))],
    ['a file that is moved out', () => fs.rename(at('renamed.txt'), outside('out.txt'))],
    ['a file that is moved in', () => fs.rename(outside('out.txt'), at('in.txt'))],
    ['a file that is moved over', () => fs.rename(at('in.txt'), at('a.txt')), A],
    [
      'a save of VS Code',
      async () => {
        await fs.writeFile(at('a.txt.tmp'), 'saved');
        await fs.rename(at('a.txt.tmp'), at('a.txt'));
      },
      A,
    ],
    [
      'a save of vim',
      async () => {
        await fs.rename(at('a.txt'), at('a.txt~'));
        await fs.writeFile(at('a.txt'), 'written');
        await fs.rm(at('a.txt~'));
      },
      A,
    ],
    [
      'a path of new folders with a file',
      async () => {
        await fs.mkdir(at('m/n/o'), { recursive: true });
        await fs.writeFile(at('m/n/o/file.txt'), 'deep');
      },
    ],
    ['a folder that is moved', () => fs.rename(at('m'), at('sub/m'))],
    ['a folder that is deleted', () => fs.rm(at('sub'), { recursive: true })],
    ['a file that is deleted', () => fs.rm(at('a.txt')), A],
  ];
  for (const [what, change, uri] of changes) {
    if (uri) await watch(page, uri);
    await change();
    if (uri) await assertNotified(page, uri, what);
    await assertConverges(desk, page, what);
  }
});

testWithFolder('comes to the truth after changes of thousands of files', async (desk) => {
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: desk.root,
      stdio: 'pipe',
    });
  /** @type {Record<string, string>} */
  const files = {};
  for (let index = 0; index < 2_000; index += 1)
    files[`old ${index % 50}/${index}.txt`] = `${index}`;
  await desk.write(files);
  git('init', '-q', '-b', 'master');
  git('add', '-A');
  git('commit', '-qm', 'one');
  git('checkout', '-qb', 'other');
  for (let index = 0; index < 45; index += 1) git('rm', '-rq', `old ${index}`);
  await desk.write(
    Object.fromEntries([...Array(200).keys()].map((n) => [`new ${n % 5}/${n}`, ''])),
  );
  git('add', '-A');
  git('commit', '-qm', 'two');
  const page = await start(desk);
  await follow(page);
  await assertConverges(desk, page, 'mounting');
  for (const branch of ['master', 'other', 'master']) {
    git('checkout', '-q', branch);
    await assertConverges(desk, page, `a checkout of ${branch}`);
  }
  await fs.rename(join(desk.root, 'old 1'), join(desk.root, 'old 2/inside'));
  await assertConverges(desk, page, 'a move of a tree');
  await fs.cp(join(desk.root, 'old 2'), join(desk.root, 'copy'), { recursive: true });
  await assertConverges(desk, page, 'a copy of a tree');
  for (const name of await fs.readdir(desk.root))
    if (name !== '.git') await fs.rm(join(desk.root, name), { recursive: true });
  await assertConverges(desk, page, 'the deletion of all');
  const reloads = await page.evaluate(() => /** @type {any} */ (globalThis).seen.reloads);
  assert.ok(reloads < 60, `The list was loaded ${reloads} times.`);
});

testWithFolder('reads a file that another program saves all the time', async (desk) => {
  await desk.write({ 'a.txt': 'x'.repeat(10_000) });
  const page = await start(desk);
  const over = new AbortController();
  const writing = (async () => {
    for (let turn = 0; !over.signal.aborted; turn += 1) {
      await fs.writeFile(join(desk.root, 'a.txt'), `${turn % 10}`.repeat(10_000));
      // timed: the pace of another program.
      await delay(turn % 7);
    }
  })();
  for (let index = 0; index < 200; index += 1) await inPage(page, 'read', A);
  over.abort();
  await writing;
});

testWithFolder('shows no names, links and devices that lead astray', async (desk) => {
  await desk.write({
    'ü ö/100%.txt': '1',
    "it's (a) [b] #c & d.txt": '2',
    'n\u0303.txt': 'decomposed',
    '\u00f1.txt': 'composed',
    '.env': 'SECRET',
    '.git/config': 'SECRET',
    '.ssh/id_rsa': 'SECRET',
    'node_modules/x/index.js': 'SECRET',
    'server.pem': 'SECRET',
    'a.txt.crswap': 'SECRET',
  });
  const at = (/** @type {string} */ path) => join(desk.root, path);
  await fs.writeFile(join(desk.home, 'outside.txt'), 'OUTSIDE');
  await fs.mkdir(join(desk.home, 'elsewhere'));
  await fs.writeFile(join(desk.home, 'elsewhere/outside.txt'), 'OUTSIDE');
  await fs.symlink(join(desk.home, 'outside.txt'), at('link.txt'));
  await fs.symlink(join(desk.home, 'elsewhere'), at('linked'));
  await fs.symlink('/etc/hostname', at('hostname'));
  await fs.symlink('.', at('circle'));
  execFileSync('mkfifo', [at('pipe')]);
  await fs.writeFile(
    Buffer.concat([Buffer.from(`${desk.root}/`), Buffer.from([0xff, 0xfe])]),
    'bad',
  );
  const page = await start(desk);
  const listed = /** @type {string[]} */ (await inPage(page, 'list'));
  for (const uri of listed.filter((one) => !one.endsWith('/')))
    assert.doesNotMatch(String(await inPage(page, 'read', uri)), /SECRET|OUTSIDE/, uri);
  const names = listed.map((uri) => decodeURIComponent(uri.slice('disk:///project/'.length)));
  for (const name of ['ü ö/100%.txt', "it's (a) [b] #c & d.txt", 'n\u0303.txt', '\u00f1.txt'])
    assert.ok(names.includes(name) || /[#&%]/.test(name), `${name} is not listed: ${names.join()}`);
  assert.doesNotMatch(names.join(), /env|git|ssh|node_modules|pem|crswap|link|hostname|circle/);
  const hidden = [
    '.env',
    '.git/config',
    '.ssh/id_rsa',
    'node_modules/x/index.js',
    'server.pem',
    'link.txt',
    'linked/outside.txt',
    'hostname',
    'circle/.env',
    '../outside.txt',
    '%2e%2e/outside.txt',
    '%2E%2E%2Foutside.txt',
    '..%2foutside.txt',
    './.env',
  ];
  for (const path of hidden)
    await assert.rejects(inPage(page, 'read', `disk:///project/${path}`), /not found/i, path);
});

testWithFolder('follows no link that has taken the place of a file or folder', async (desk) => {
  await desk.permit();
  await desk.write({ 'a.txt': 'inside', 'sub/b.txt': 'inside' });
  await fs.writeFile(join(desk.home, 'outside.txt'), 'OUTSIDE');
  await fs.mkdir(join(desk.home, 'elsewhere'));
  await fs.writeFile(join(desk.home, 'elsewhere/b.txt'), 'OUTSIDE');
  const page = await start(desk, { write: true });
  await inPage(page, 'list');
  await inPage(page, 'read', 'disk:///project/sub/b.txt');
  await fs.rm(join(desk.root, 'a.txt'));
  await fs.symlink(join(desk.home, 'outside.txt'), join(desk.root, 'a.txt'));
  await fs.rm(join(desk.root, 'sub'), { recursive: true });
  await fs.symlink(join(desk.home, 'elsewhere'), join(desk.root, 'sub'));
  for (const path of ['a.txt', 'sub/b.txt']) {
    const uri = `disk:///project/${path}`;
    await assert.rejects(inPage(page, 'read', uri), /not found/i);
    assert.match(String(await inPage(page, 'call', 'save_file', { path: uri, text: 'no' })), /./);
  }
  assert.equal(await fs.readFile(join(desk.home, 'outside.txt'), 'utf8'), 'OUTSIDE');
  assert.equal(await fs.readFile(join(desk.home, 'elsewhere/b.txt'), 'utf8'), 'OUTSIDE');
});

testWithFolder('writes only what the caller knows, and where it may', async (desk) => {
  await desk.permit();
  await desk.write({ 'a.txt': 'one', 'b.txt': 'b' });
  const page = await start(desk, { write: true });
  const save = (/** @type {object} */ args) => inPage(page, 'call', 'save_file', args);
  const content = () => fs.readFile(join(desk.root, 'a.txt'), 'utf8');
  assert.match(String(await save({ path: A, text: 'two' })), /expectedLastModified/);
  const dateOf = async () => {
    const { mtimeMs } = await fs.stat(join(desk.root, 'a.txt'));
    return new Date(Math.floor(mtimeMs)).toISOString();
  };
  const date = await dateOf();
  assert.match(
    String(await save({ path: A, text: 'two', expectedLastModified: date })),
    /updatedAt/,
  );
  assert.equal(await content(), 'two');
  assert.match(
    String(await save({ path: A, text: 'three', expectedLastModified: date })),
    /changed/,
  );
  assert.equal(await content(), 'two');
  assert.match(
    String(await save({ path: 'disk:///project/x/y/new.txt', text: 'new' })),
    /updatedAt/,
  );
  assert.equal(await fs.readFile(join(desk.root, 'x/y/new.txt'), 'utf8'), 'new');
  for (const path of ['.env', 'node_modules/x.js', '../a.txt', 'key.pem', 'NODE_MODULES/x.js'])
    await save({ path: `disk:///project/${path}`, text: 'no' });
  const move = (/** @type {object} */ args) => inPage(page, 'call', 'move_file', args);
  const B = 'disk:///project/b.txt';
  assert.match(String(await move({ from: B, to: A })), /exists/);
  assert.match(String(await move({ from: B, to: A, overwrite: true })), /updatedAt/);
  assert.equal(await content(), 'b');
  assert.match(String(await inPage(page, 'call', 'delete_file', { path: A })), /deleted/);
  assert.deepEqual((await onDisk(desk)).slice(1), [
    'disk:///project/x/',
    'disk:///project/x/y/',
    'disk:///project/x/y/new.txt',
  ]);
  // The same folder, for reading only from now on.
  await desk.mount(page, { write: false });
  assert.match(String(await save({ path: A, text: 'no' })), /reading only/);
  assert.deepEqual(await fs.readdir(desk.root), ['x']);
});

testWithFolder(
  'asks for each write of a guest, and shows it what was given to it',
  async (desk) => {
    await desk.permit();
    await desk.write({ 'src/a.txt': 'a', 'README.md': 'readme' });
    const page = await start(desk, { write: true });
    const seen = async (/** @type {object} */ access) =>
      await page.evaluate(async (given) => {
        const { guest, list } = /** @type {any} */ (globalThis).page;
        return await list(await guest(given));
      }, access);
    const SRC = 'disk:///project/src/';
    assert.deepEqual(await seen({}), []);
    assert.deepEqual(await seen({ read: [SRC] }), []);
    await desk.mount(page, { write: true, guests: true });
    assert.deepEqual(await seen({}), []);
    assert.deepEqual(await seen({ read: 'all' }), []);
    assert.deepEqual(await seen({ read: [SRC] }), [SRC, `${SRC}a.txt`]);
    const answer = await page.evaluate(async (folder) => {
      const { guest, call } = /** @type {any} */ (globalThis).page;
      const client = await guest({ read: [folder], write: 'allow' });
      const inside = await call('save_file', { path: `${folder}new.txt`, text: 'new' }, client);
      const outside = await call('save_file', { path: 'disk:///project/x.txt', text: '' }, client);
      return { inside, outside };
    }, SRC);
    assert.match(answer.inside, /updatedAt/);
    assert.match(answer.outside, /not the address/);
    const asked = await page.evaluate(() => /** @type {any} */ (globalThis).page.asked);
    assert.deepEqual(asked, ['Save a new file on the disk: "project/src/new.txt" (3 bytes)?']);
  },
);

testWithFolder(
  'keeps the old file when the browser is killed in the middle of a save',
  async (desk) => {
    await desk.permit();
    // So large that the browser writes for a while.
    const size = 15_000_000;
    // A save that is faster than the kill is complete, and another one is tried.
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await desk.write({ 'a.txt': 'whole' });
      const page = await start(desk, { write: true });
      const { mtimeMs } = await fs.stat(join(desk.root, 'a.txt'));
      const expectedLastModified = new Date(Math.floor(mtimeMs)).toISOString();
      const saving = page.evaluate(
        ([args, length]) =>
          /** @type {any} */ (globalThis).page.call('save_file', {
            .../** @type {object} */ (args),
            text: 'x'.repeat(/** @type {number} */ (length)),
          }),
        [{ path: A, expectedLastModified }, size],
      );
      const end = new AbortController();
      void saving.catch(() => '').then(() => end.abort());
      const processes = await desk.processes();
      // The browser writes beside the file until it has all of it.
      const isWriting = async () => (await fs.readdir(desk.root)).includes('a.txt.crswap');
      // timed: the save ends, if nothing else does.
      while (!end.signal.aborted && !(await isWriting())) await delay(1);
      await desk.kill(processes);
      const text = await fs.readFile(join(desk.root, 'a.txt'), 'utf8');
      if (text === 'whole') return;
      assert.ok(text === 'x'.repeat(size), `${text.length} characters are neither old nor new.`);
    }
    assert.fail('The saves have ended before the browser could be killed.');
  },
);

testWithFolder(
  'is there after a reload, in another tab, and with the next worker',
  async (desk) => {
    await desk.permitForGood();
    await desk.write({ 'a.txt': 'one' });
    const page = await start(desk);
    const other = await desk.openTab();
    const wanted = ['disk:///project/', A];
    const untilListed = async (/** @type {Page} */ tab, /** @type {string[]} */ uris) => {
      const end = performance.now() + CONVERGED_MS;
      let listed;
      do listed = await inPage(tab, 'list');
      while (String(listed) !== String(uris) && performance.now() < end);
      assert.deepEqual(listed, uris);
    };
    await untilListed(other, wanted);
    const [worker] = page.workers();
    const replaced = page.waitForEvent('worker');
    await worker?.evaluate(() => self.close()).catch(() => undefined);
    await replaced;
    await untilListed(page, wanted);
    await page.reload();
    await page.waitForFunction('globalThis.page !== undefined');
    await untilListed(page, wanted);
    await desk.close();
    await desk.start();
    const again = await desk.openTab();
    await untilListed(again, wanted);
    const third = await desk.openTab();
    await untilListed(third, wanted);
    await again.evaluate(async () => {
      const [folder] = await /** @type {any} */ (globalThis).page.runtime.folders();
      await folder.unmount();
    });
    await untilListed(again, []);
    await untilListed(third, []);
    // In the other tab, the name of one folder is not taken for another that gets it at once.
    await desk.mount(again, {});
    await untilListed(third, wanted);
    const elsewhere = join(desk.home, 'elsewhere');
    await fs.mkdir(elsewhere);
    await fs.writeFile(join(elsewhere, 'other.txt'), '');
    await desk.mount(again, { name: 'x', keep: false }, elsewhere);
    await again.evaluate(async () => {
      const { runtime } = /** @type {any} */ (globalThis).page;
      const [project, x] = await runtime.folders();
      await Promise.all([project.unmount(), x.unmount()]);
      await runtime.mountFolder(x.handle, { name: 'project' });
    });
    await untilListed(third, ['disk:///project/', 'disk:///project/other.txt']);
  },
);

testWithFolder('says when the user has to allow it again, and when it is gone', async (desk) => {
  await desk.write({ 'a.txt': 'one' });
  const page = await start(desk);
  const stateOf = async (/** @type {Page} */ tab) =>
    await tab.evaluate(async () => {
      const folders = await /** @type {any} */ (globalThis).page.runtime.folders();
      return folders.map((/** @type {any} */ { state }) => state).join();
    });
  const untilState = async (/** @type {Page} */ tab, /** @type {string} */ state) => {
    const end = performance.now() + CONVERGED_MS;
    // timed: with an end, and the state as its words.
    while ((await stateOf(tab)) !== state && performance.now() < end) {
      // As when the user comes back to the page.
      await tab.evaluate(() => globalThis.dispatchEvent(new Event('focus')));
      // timed: between two looks.
      await delay(50);
    }
    assert.equal(await stateOf(tab), state);
  };
  await untilState(page, 'ready');
  await fs.rename(desk.root, join(desk.home, 'moved'));
  await untilState(page, 'gone');
  assert.deepEqual(await inPage(page, 'list'), ['disk:///project/']);
  await assert.rejects(inPage(page, 'read', A), /not found/i);
  await fs.rename(join(desk.home, 'moved'), desk.root);
  await untilState(page, 'ready');
  assert.equal(await inPage(page, 'read', A), 'one');
  const settings = await desk.context.newPage();
  await settings.goto('chrome://settings/content');
  await settings.evaluate(
    (origin) => /** @type {any} */ (globalThis).chrome.send('revokeFileSystemGrants', [origin]),
    desk.origin,
  );
  await settings.close();
  await page.bringToFront();
  await untilState(page, 'permission');
  assert.deepEqual(await inPage(page, 'list'), ['disk:///project/']);
  await assert.rejects(inPage(page, 'read', A), /allow this folder again/);
  await desk.close();
  await desk.start();
  const again = await desk.openTab();
  await untilState(again, 'permission');
});

testWithFolder('finds what changes where the system watches too few folders', async (desk, t) => {
  const folders = Array.from({ length: 300 }, (_, index) => `${index}`);
  await desk.write(Object.fromEntries(folders.map((name) => [`${name}/a.txt`, 'one'])));
  if (!(await desk.startWithFewWatches(100))) {
    t.skip('This system lets nobody limit its watches.');
    return;
  }
  const page = await desk.openTab();
  await desk.mount(page);
  await follow(page);
  const uri = 'disk:///project/7/a.txt';
  await watch(page, uri);
  // As when the user comes back to the page.
  const focus = () => page.evaluate(() => globalThis.dispatchEvent(new Event('focus')));
  await fs.writeFile(join(desk.root, '7/a.txt'), 'another');
  // timed: a report would come, and nothing comes after it.
  await delay(1_000);
  const count = await page.evaluate((one) => /** @type {any} */ (globalThis).counts[one], uri);
  assert.equal(count, 0, 'The system has reported it: this test shows nothing.');
  await focus();
  await assertNotified(page, uri, 'a save');
  await fs.writeFile(join(desk.root, '7/b.txt'), '');
  await focus();
  await assertConverges(desk, page, 'a new file');
});
