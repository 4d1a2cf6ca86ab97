import '@inpage-mcp/elements/define/mcp-file-drop';
import { setLanguage } from '@inpage-mcp/elements/localize';
import { connectClient } from '@inpage-mcp/client';
import { MessagePortTransport } from '@inpage-mcp/transport';
import { expect, fixture, html, oneEvent } from '@open-wc/testing';
import type {
  McpFilesAddEvent,
  McpFilesSaveEvent,
} from '../../packages/elements/src/act/mcp-file-drop/upload-batch.js';
import type { FileTarget } from '../../packages/elements/src/act/mcp-file-drop/file-target.js';
import type { McpFileDrop } from '../../packages/elements/src/act/mcp-file-drop/mcp-file-drop.js';
import { forceColors } from '../scenarios/browser.js';
import { eventually, inside } from '../support/elements.js';
import { useLinkedClient } from '../support/linked-server.js';

describe('<mcp-file-drop>', () => {
  const setup = useLinkedClient();
  const files = (): FileTarget & { list: () => Promise<{ files: { path: string }[] }> } =>
    setup.linked.server.store.files;

  const show = async (target: FileTarget | undefined = files()): Promise<McpFileDrop> =>
    await fixture<McpFileDrop>(
      html`<mcp-file-drop .client=${setup.client} .target=${target}></mcp-file-drop>`,
    );

  const paths = async (): Promise<string[]> =>
    (await files().list()).files.map(({ path }) => path).toSorted();

  const file = (name: string, text = name): File => new File([text], name, { type: 'text/plain' });

  const button = (drop: McpFileDrop, label: string): Promise<HTMLButtonElement> =>
    eventually(() =>
      [...drop.shadowRoot!.querySelectorAll('button')].find(
        (one) => one.textContent.includes(label) || one.ariaLabel === label,
      ),
    );

  const transfer = (...dropped: File[]): DataTransfer => {
    const data = new DataTransfer();
    for (const one of dropped) data.items.add(one);
    return data;
  };

  const saved = async (drop: McpFileDrop): Promise<McpFilesSaveEvent> =>
    (await oneEvent(drop, 'mcp-files-save')) as unknown as McpFilesSaveEvent;

  /** Drops what the browser can read only by its entries, as a folder. */
  const dropEntry = (drop: McpFileDrop, entry: object): void => {
    const event = new DragEvent('drop', { bubbles: true, cancelable: true });
    const items = [{ kind: 'file', webkitGetAsEntry: () => entry }];
    Object.defineProperty(event, 'dataTransfer', { value: { types: ['Files'], items } });
    drop.dispatchEvent(event);
  };

  const isAsked = (): boolean =>
    !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

  const untilCancelled: FileTarget['write'] = (_path, _content, { signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', reject));

  afterEach(async () => {
    // Otherwise the browser asks before it leaves the page of the tests.
    for (const drop of document.querySelectorAll('mcp-file-drop'))
      for (const one of drop.shadowRoot!.querySelectorAll('.saving + button'))
        (one as HTMLElement).click();
    await forceColors(false);
    await setLanguage('en');
  });

  it('saves files that are dropped on it', async () => {
    const drop = await show();
    const data = transfer(file('a.txt'), file('b.txt'));
    const over = new DragEvent('dragover', { dataTransfer: data, bubbles: true, cancelable: true });
    drop.dispatchEvent(over);
    expect(over.defaultPrevented).to.equal(true);
    expect(drop.matches(':state(dragging)')).to.equal(true);
    const event = saved(drop);
    drop.dispatchEvent(
      new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }),
    );
    expect(drop.matches(':state(dragging)')).to.equal(false);
    expect((await event).saved).to.deep.equal(['a.txt', 'b.txt']);
    expect(await paths()).to.deep.equal(['a.txt', 'b.txt']);
    await expect(drop).to.be.accessible();
  });

  for (const isForced of [false, true])
    it(`is accessible while files are over it${isForced ? ', in forced colours' : ''}`, async function () {
      if (isForced && !(await forceColors(true))) this.skip();
      const drop = await show();
      const dataTransfer = transfer(file('a.txt'));
      drop.dispatchEvent(new DragEvent('dragover', { dataTransfer, bubbles: true }));
      expect(drop.matches(':state(dragging)')).to.equal(true);
      await expect(drop).to.be.accessible();
      const { color, backgroundColor } = getComputedStyle(inside(drop, '.words'));
      expect(color).not.to.equal(backgroundColor);
    });

  it('takes files from anywhere on the page only with `page`', async () => {
    const drop = await show();
    const paste = (): boolean => {
      const event = new ClipboardEvent('paste', { bubbles: true, cancelable: true });
      // Firefox leaves out what a script puts into an event.
      Object.defineProperty(event, 'clipboardData', { value: transfer(file('pasted.txt')) });
      return document.body.dispatchEvent(event);
    };
    expect(paste()).to.equal(true);
    drop.page = true;
    const event = saved(drop);
    expect(paste()).to.equal(false);
    expect((await event).saved).to.deep.equal(['pasted.txt']);
  });

  it('says over the whole page that files can be dropped, with `page`', async () => {
    const drop = await show();
    drop.page = true;
    await drop.updateComplete;
    const veil = inside(drop, '[part=veil]');
    const drag = (type: string): boolean =>
      document.body.dispatchEvent(
        new DragEvent(type, { dataTransfer: transfer(file('a.txt')), bubbles: true }),
      );
    drag('dragenter');
    expect(veil.matches(':popover-open')).to.equal(true);
    expect(veil.getBoundingClientRect().width).to.be.at.least(innerWidth - 20);
    await expect(drop).to.be.accessible();
    drag('dragleave');
    expect(veil.matches(':popover-open')).to.equal(false);
  });

  it('lets the browser ask before the page is left while files are saved', async () => {
    let finish = (): void => undefined;
    const drop = await show({ write: () => new Promise<void>((resolve) => (finish = resolve)) });
    expect(isAsked()).to.equal(false);
    const adding = drop.add([file('a.txt')]);
    await eventually(() => drop.matches(':state(saving)'));
    expect(isAsked()).to.equal(true);
    drop.remove();
    expect(isAsked(), 'without its element').to.equal(true);
    finish();
    await adding;
    await drop.updateComplete;
    expect(isAsked()).to.equal(false);
  });

  it('does not let the browser ask for the sake of a question that nobody can answer', async () => {
    const drop = await show();
    await drop.add([file('a.txt', 'old')]);
    void drop.add([file('a.txt', 'new')]);
    const skip = await button(drop, 'Skip');
    expect(isAsked()).to.equal(true);
    const parent = drop.parentElement!;
    drop.remove();
    expect(isAsked()).to.equal(false);
    // A removed element can be updated, too.
    drop.requestUpdate();
    await drop.updateComplete;
    expect(isAsked()).to.equal(false);
    parent.append(drop);
    await drop.updateComplete;
    expect(isAsked()).to.equal(true);
    const event = saved(drop);
    skip.click();
    expect((await event).skipped).to.deep.equal(['a.txt']);
    await drop.updateComplete;
    expect(isAsked()).to.equal(false);
  });

  it('says why a dropped folder cannot be read, until files are added again', async () => {
    const drop = await show();
    dropEntry(drop, {
      isDirectory: true,
      createReader: () => ({
        readEntries: (_read: unknown, fail: (error: Error) => void) =>
          fail(new Error('The folder is gone.')),
      }),
    });
    const alert = await eventually(() => drop.shadowRoot!.querySelector('[role=alert]'));
    expect(alert.textContent).to.contain('The folder is gone.');
    expect(drop.matches(':state(saving)')).to.equal(false);
    await expect(drop).to.be.accessible();
    const event = saved(drop);
    const dataTransfer = transfer(file('a.txt'));
    drop.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    expect((await event).saved).to.deep.equal(['a.txt']);
    await drop.updateComplete;
    expect(drop.shadowRoot!.querySelector('[role=alert]')).to.equal(null);
  });

  it('leaves a text that has a picture beside it to the field that it is pasted into', async () => {
    const drop = await show();
    drop.page = true;
    const fields = await fixture<HTMLElement>(
      html`<div>
        <input aria-label="a" /><textarea aria-label="b"></textarea>
        <div contenteditable><p>c</p></div>
        <input aria-label="d" readonly />
      </div>`,
    );
    let pasted = 0;
    const paste = (target: Element, text?: string): boolean => {
      pasted += 1;
      const clipboardData = transfer(file(`picture${pasted}.png`));
      if (text !== undefined) clipboardData.setData('text/plain', text);
      clipboardData.setData('text/html', '<p>1</p>');
      const event = new ClipboardEvent('paste', { bubbles: true, cancelable: true });
      Object.defineProperty(event, 'clipboardData', { value: clipboardData });
      return target.dispatchEvent(event);
    };
    for (const field of fields.querySelectorAll('input:not([readonly]), textarea, p'))
      expect(paste(field, '1')).to.equal(true);
    expect(await paths()).to.deep.equal([]);
    for (const [target, text] of [
      [fields.querySelector('input')!, undefined],
      [fields.querySelector('[readonly]')!, '1'],
      [fields, '1'],
    ] as const) {
      const event = saved(drop);
      expect(paste(target, text)).to.equal(false);
      expect((await event).saved).to.have.length(1);
    }
  });

  it('leaves alone what is dropped without files', async () => {
    const drop = await show();
    const data = new DataTransfer();
    data.setData('text/plain', 'words');
    const event = new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true });
    expect(drop.dispatchEvent(event)).to.equal(true);
  });

  it('takes files from the picker, folders with their paths', async () => {
    const drop = await show();
    const input = inside(drop, '#files') as HTMLInputElement;
    input.files = transfer(file('picked.txt')).files;
    const event = saved(drop);
    input.dispatchEvent(new Event('change', { bubbles: true }));
    expect((await event).saved).to.deep.equal(['picked.txt']);
    await drop.add([{ path: 'photos/cat.txt', file: file('cat.txt') }]);
    expect(await paths()).to.deep.equal(['photos/cat.txt', 'picked.txt']);
  });

  it('asks once for all paths that are taken, and keeps both', async () => {
    const drop = await show();
    await drop.add([file('a.txt', 'old'), file('b.txt', 'old')]);
    const event = saved(drop);
    void drop.add([file('a.txt', 'new'), file('b.txt', 'new'), file('c.txt')]);
    const keepBoth = await button(drop, 'Keep both');
    expect(inside(drop, '[role=alert]').textContent).to.contain('a.txt').and.contain('b.txt');
    await expect(drop).to.be.accessible();
    keepBoth.click();
    expect((await event).saved).to.deep.equal(['c.txt', 'a (2).txt', 'b (2).txt']);
    expect(await paths()).to.deep.equal(['a (2).txt', 'a.txt', 'b (2).txt', 'b.txt', 'c.txt']);
  });

  it('replaces, or skips', async () => {
    const drop = await show();
    const read = async (): Promise<string> =>
      await (await setup.linked.server.store.files.read('a.txt')).blob.text();
    await drop.add([file('a.txt', 'old')]);
    void drop.add([file('a.txt', 'newer')]);
    let event = saved(drop);
    (await button(drop, 'Skip')).click();
    expect((await event).skipped).to.deep.equal(['a.txt']);
    expect(await read()).to.equal('old');
    drop.conflicts = 'replace';
    event = saved(drop);
    await drop.add([file('a.txt', 'newest')]);
    expect((await event).saved).to.deep.equal(['a.txt']);
    expect(await read()).to.equal('newest');
  });

  it('shows progress, and cancels what is not saved yet', async () => {
    let release = (): void => undefined;
    const slow: FileTarget = {
      write: async (_path, _content, { signal, onProgress }) => {
        onProgress(1, 4);
        await new Promise<void>((resolve, reject) => {
          release = resolve;
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        });
      },
    };
    const drop = await show(slow);
    const event = saved(drop);
    void drop.add([file('1', 'aaaa'), file('2', 'bbbb')]);
    const progress = await eventually(() => drop.shadowRoot!.querySelector('progress'));
    await eventually(() => progress.value === 0.125);
    release();
    await eventually(() => progress.value === 0.625);
    expect(drop.matches(':state(saving)')).to.equal(true);
    await expect(drop).to.be.accessible();
    (await button(drop, 'Cancel')).click();
    const { saved: done, isCancelled } = await event;
    expect(done).to.deep.equal(['1']);
    expect(isCancelled).to.equal(true);
    await drop.updateComplete;
    expect(inside(drop, '[part=batch]').textContent).to.contain('cancelled: 1');
    expect(drop.matches(':state(saving)')).to.equal(false);
  });

  it('takes away the line of files that are all saved after a while, but not under the focus', async () => {
    const { setTimeout } = window;
    const later: (() => void)[] = [];
    const hold = (run: () => void, ms?: number): unknown =>
      // timed: this is the clock of the test.
      ms === 10_000 ? later.push(run) : setTimeout(run, ms);
    Object.assign(window, { setTimeout: hold });
    try {
      const drop = await show();
      await drop.add([file('a.txt')]);
      (await button(drop, 'Dismiss')).focus();
      later.shift()!();
      await drop.updateComplete;
      expect(drop.shadowRoot!.querySelector('.batch')!.textContent).to.contain('Saved: a.txt');
      drop.shadowRoot!.querySelector<HTMLElement>('.area button')!.focus();
      later.shift()!();
      await drop.updateComplete;
      expect(drop.shadowRoot!.querySelector('.batch')).to.equal(null);
    } finally {
      Object.assign(window, { setTimeout });
    }
  });

  it('names files that cannot be saved, saves the others, and tries again', async () => {
    const store = files();
    let isFull = true;
    const target: FileTarget = {
      write: async (path, ...rest) => {
        if (isFull && path === 'bad') throw new Error('The disk is full.');
        return await store.write(path, ...rest);
      },
    };
    const drop = await show(target);
    const event = saved(drop);
    await drop.add([file('bad'), file('good')]);
    expect((await event).saved).to.deep.equal(['good']);
    expect((await event).failed.map(({ path }) => path)).to.deep.equal(['bad']);
    await drop.updateComplete;
    const details = inside(drop, '[part=batch] details') as HTMLDetailsElement;
    expect(details.textContent).to.contain('The disk is full.');
    expect(details.open).to.equal(true);
    await expect(drop).to.be.accessible();
    isFull = false;
    (await button(drop, 'Try again')).click();
    await eventually(() => inside(drop, '[part=batch]').textContent.includes('Saved: bad'));
    expect(await paths()).to.deep.equal(['bad', 'good']);
    (await button(drop, 'Dismiss')).click();
    await eventually(() => drop.shadowRoot!.querySelector('[part=batch]') === null);
  });

  it('tries again what has failed as the user had chosen, and says what became of it', async () => {
    const store = files();
    let isFull = true;
    const drop = await show({
      write: async (path, content, options) => {
        if (isFull && options.expectedRevision === undefined) throw new Error('The disk is full.');
        return await store.write(path, content, options);
      },
    });
    await drop.add([file('a.txt', 'old')]);
    let event = saved(drop);
    void drop.add([file('a.txt', 'new')]);
    (await button(drop, 'Replace')).click();
    expect((await event).failed).to.have.length(1);
    isFull = false;
    event = saved(drop);
    (await button(drop, 'Try again')).click();
    expect((await event).saved).to.deep.equal(['a.txt']);
    expect(await paths()).to.deep.equal(['a.txt']);
    await drop.updateComplete;
    expect(inside(drop, '[role=status]').textContent).to.equal('Saved: a.txt');
  });

  it('asks about a path that is taken only when a file is tried again', async () => {
    const store = files();
    let isFull = true;
    const drop = await show({
      write: async (path, content, options) => {
        if (isFull) throw new Error('The disk is full.');
        return await store.write(path, content, options);
      },
    });
    await drop.add([file('a.txt', 'new')]);
    isFull = false;
    await setup.linked.server.store.files.write('a.txt', new Blob(['of somebody else']));
    (await button(drop, 'Try again')).click();
    const event = saved(drop);
    (await button(drop, 'Skip')).click();
    expect((await event).skipped).to.deep.equal(['a.txt']);
  });

  it('tries again what has failed before the user cancelled the rest', async () => {
    const store = files();
    let isFull = true;
    const drop = await show({
      write: async (path, content, options) => {
        if (!isFull) return await store.write(path, content, options);
        if (path === 'bad') throw new Error('The disk is full.');
        return await new Promise((_resolve, reject) => {
          options.signal.addEventListener('abort', () => reject(options.signal.reason as Error));
        });
      },
    });
    let event = saved(drop);
    void drop.add([file('bad'), file('slow')]);
    await eventually(() => drop.shadowRoot!.textContent!.includes('Saving 1 of 2'));
    (await button(drop, 'Cancel')).click();
    expect((await event).failed).to.have.length(1);
    isFull = false;
    event = saved(drop);
    (await button(drop, 'Try again')).click();
    expect((await event).saved, 'the rest stays cancelled').to.deep.equal(['bad']);
    expect(await paths()).to.deep.equal(['bad']);
  });

  it('keeps the focus in the line of a batch while its buttons change', async () => {
    const drop = await show();
    await drop.add([file('a.txt', 'old')]);
    const event = saved(drop);
    void drop.add([file('a.txt', 'new')]);
    const skip = await button(drop, 'Skip');
    skip.focus();
    skip.click();
    await event;
    await drop.updateComplete;
    const lines = drop.shadowRoot!.querySelectorAll('[part=batch]');
    const focused = drop.shadowRoot!.activeElement as HTMLElement;
    expect(lines[0]!.contains(focused)).to.equal(true);
    focused.click();
    await eventually(() => drop.shadowRoot!.querySelector('[part=batch]') === null);
    expect(drop.shadowRoot!.activeElement?.textContent).to.contain('Choose files');
  });

  it('says that no server is connected, and is accessible then', async () => {
    const drop = await fixture<McpFileDrop>(html`<mcp-file-drop></mcp-file-drop>`);
    expect(inside(drop, '.area').textContent).to.contain('No server is connected.');
    expect(drop.shadowRoot!.querySelector('button')).to.equal(null);
    await expect(drop).to.be.accessible();
  });

  it('shows which files wait for others, and is accessible then', async () => {
    const drop = await show({ write: untilCancelled });
    void drop.add([file('first')]);
    void drop.add([file('second')]);
    await eventually(() => drop.shadowRoot!.querySelectorAll('progress').length === 2);
    const [, waiting] = drop.shadowRoot!.querySelectorAll('.saving');
    expect(waiting!.textContent.trim()).to.match(/^Saving 0 of 1\s+· 6 bytes$/);
    await expect(drop).to.be.accessible();
  });

  it('shows the beginning of the long name of a file, in a page from right to left', async () => {
    await setLanguage('ar');
    const drop = await show({ write: untilCancelled });
    drop.dir = 'rtl';
    drop.style.inlineSize = '300px';
    void drop.add([file(`beginning ${'of a long name '.repeat(10)}`)]);
    const name = await eventually(() => drop.shadowRoot!.querySelector('.batch bdi'));
    const { left } = inside(drop, '.batch').getBoundingClientRect();
    const text = document.createRange();
    text.selectNodeContents(name);
    expect(text.getBoundingClientRect().left).to.be.at.least(left);
    await expect(drop).to.be.accessible();
  });

  it('does not stumble over a progress that is no number', async () => {
    let report = (_done: unknown): void => undefined;
    let finish = (): void => undefined;
    const drop = await show({
      write: (_path, _content, { onProgress }) => {
        report = (done) => onProgress(done as number, 10);
        return new Promise<void>((resolve) => (finish = resolve));
      },
    });
    const event = saved(drop);
    void drop.add([file('a.txt')]);
    await eventually(() => drop.shadowRoot!.querySelector('progress'));
    for (const done of [NaN, Infinity, undefined, '5', {}]) {
      report(done);
      await drop.updateComplete;
    }
    finish();
    expect((await event).saved).to.deep.equal(['a.txt']);
  });

  it('announces the end of a batch, once', async () => {
    const drop = await show();
    await drop.add([file('a.txt'), file('b.txt')]);
    await drop.updateComplete;
    expect(inside(drop, '[role=status]').textContent).to.equal('Files saved: 2');
  });

  it('leaves it to the page to say that all is saved, but not what has failed', async () => {
    let isFull = false;
    const store = files();
    const drop = await show({
      write: async (...args) => {
        if (isFull) throw new Error('The disk is full.');
        return await store.write(...args);
      },
    });
    drop.addEventListener('mcp-files-save', (event) => event.preventDefault());
    await drop.add([file('a.txt')]);
    await drop.updateComplete;
    expect(drop.shadowRoot!.querySelectorAll('[part=batch]')).to.have.length(0);
    expect(inside(drop, '[role=status]').textContent).to.equal('');
    isFull = true;
    await drop.add([file('b.txt')]);
    await drop.updateComplete;
    expect(inside(drop, '[part=batch]').textContent).to.contain('The disk is full.');
    expect(inside(drop, '[role=status]').textContent).to.contain('failed: 1');
  });

  it('saves nothing if the app takes the files itself', async () => {
    const drop = await show();
    let taken: McpFilesAddEvent | undefined;
    drop.addEventListener('mcp-files-add', (event) => {
      taken = event;
      event.preventDefault();
    });
    await drop.add([file('a.txt')]);
    expect(taken?.files[0]?.path).to.equal('a.txt');
    expect(await paths()).to.deep.equal([]);
  });

  it('saves by the tool of a client, and asks about taken paths', async () => {
    const drop = await fixture<McpFileDrop>(
      html`<mcp-file-drop .client=${setup.client}></mcp-file-drop>`,
    );
    await drop.add([file('a.txt', 'by a tool'), file('empty.txt', '')]);
    expect(await paths()).to.deep.equal(['a.txt', 'empty.txt']);
    void drop.add([file('a.txt', 'again')]);
    (await button(drop, 'Keep both')).click();
    await eventually(() => drop.shadowRoot!.textContent!.includes('Saved: a (2).txt'));
    expect(await paths()).to.deep.equal(['a (2).txt', 'a.txt', 'empty.txt']);
  });

  it('offers no button that cannot work after the connection has ended', async () => {
    const client = await setup.linked.connect();
    const drop = await fixture<McpFileDrop>(
      html`<mcp-file-drop .client=${client}></mcp-file-drop>`,
    );
    await client.close();
    await eventually(() => inside(drop, 'button').hasAttribute('disabled'));
    expect(inside(drop, '[part=connection]').textContent.trim()).to.equal(
      'The connection has ended. No more files can be added.',
    );
    await expect(drop).to.be.accessible();
  });

  it('takes no files while the server does not offer its tool', async () => {
    const client = await connectClient(
      new MessagePortTransport(setup.linked.openPort({ write: 'deny' })),
    );
    const drop = await fixture<McpFileDrop>(
      html`<mcp-file-drop .client=${client}>Photos of the summer</mcp-file-drop>`,
    );
    await eventually(() => drop.matches(':state(unsupported)'));
    await drop.updateComplete;
    expect(drop.shadowRoot!.textContent).to.contain('This server does not take files.');
    // The words of the page would invite to drop files.
    expect(drop.shadowRoot!.querySelector('slot, button')).to.equal(null);
    const data = transfer(file('a.txt'));
    const over = new DragEvent('dragover', { dataTransfer: data, bubbles: true, cancelable: true });
    drop.dispatchEvent(over);
    expect(drop.matches(':state(dragging)')).to.equal(false);
    await expect(drop).to.be.accessible();
    drop.client = setup.client;
    await button(drop, 'Choose files');
    expect(drop.matches(':state(unsupported)')).to.equal(false);
    await client.close();
  });

  it('gives up on a server that says of each path that it is taken', async () => {
    let writes = 0;
    const target: FileTarget = {
      write: () => {
        writes += 1;
        return Promise.reject(Object.assign(new Error('taken'), { code: 'conflict' }));
      },
    };
    const drop = await show(target);
    drop.conflicts = 'keep-both';
    const event = saved(drop);
    await drop.add([file('a.txt')]);
    expect((await event).failed).to.have.length(1);
    expect(writes).to.equal(1_001);
  });
});
