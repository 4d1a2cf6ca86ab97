import '@inpage-mcp/elements/define/mcp-storage';
import type {
  DataEstimate,
  DataImport,
  DataStorage,
  DataTaskOptions,
  ExportProtection,
  McpStorage,
  McpStorageDoneEvent,
  StorageAction,
} from '@inpage-mcp/elements/define/mcp-storage';
import { setLanguage } from '@inpage-mcp/elements/localize';
import { startRuntime } from '@inpage-mcp/runtime';
import { expect, fixture, html } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { eventually, expectFocus, inside } from '../support/elements.js';

const NONE = { added: 0, updated: 0, unchanged: 0, older: 0, copied: 0 };
const NOTHING: DataImport = { notes: NONE, files: NONE, edited: [], skipped: [], skippedCount: 0 };

type Call = 'persist' | 'exportZip' | 'importZip' | 'clear';

/** A storage whose long calls end when a test says so. */
class HostStorage implements DataStorage {
  amount: DataEstimate = { notes: 4, files: 2, usedBytes: 1_200_000, quotaBytes: 10_000_000_000 };
  readonly calls: unknown[][] = [];
  options: (DataTaskOptions & { maxBytes?: number }) | undefined;
  #answer: PromiseWithResolvers | undefined;

  estimate = async (): Promise<DataEstimate> => this.amount;
  persist = (): Promise<never> => this.#call('persist');
  exportZip = (options: DataTaskOptions): Promise<never> => this.#call('exportZip', options);
  importZip = (zip: Blob, options: DataTaskOptions): Promise<never> =>
    this.#call('importZip', options, zip);
  clear = (): Promise<never> => this.#call('clear');

  resolve(value?: unknown): void {
    this.#answer!.resolve(value as never);
  }

  reject(fields: { message?: string; code?: string; quota?: object }): void {
    const { message = 'It does not work.', ...others } = fields;
    this.#answer!.reject(Object.assign(new Error(message), others));
  }

  /** Answers an export with these bytes. */
  give(text: string): void {
    this.resolve(new Blob([text]).stream());
  }

  async #call(name: Call, options?: DataTaskOptions, ...args: unknown[]): Promise<never> {
    this.calls.push([name, ...args]);
    this.options = options;
    return await new Promise<never>((resolve, reject) => {
      this.#answer = { resolve, reject };
      options?.signal.addEventListener('abort', () => reject(options.signal.reason));
    });
  }
}

interface PromiseWithResolvers {
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
}

const protection: ExportProtection = {
  extension: '.locked',
  remark: 'Programs open it.',
  isProtected: async (file) => file.name.endsWith('.locked'),
  protect: async (zip, passphrase) => new Blob([`${passphrase}:`, zip]),
  open: async (file, passphrase) => {
    if (!(await file.text()).startsWith(`${passphrase}:`)) throw new Error('It is another one.');
    return file.slice(passphrase.length + 1);
  },
};

async function show(
  storage: DataStorage | undefined,
  lock?: ExportProtection,
): Promise<McpStorage> {
  const element = await fixture<McpStorage>(
    html`<mcp-storage .storage=${storage} .protection=${lock}></mcp-storage>`,
  );
  if (storage) await eventually(() => element.shadowRoot!.querySelector('.count, .problem'));
  return element;
}

const wordsOf = (node: Node | null): string =>
  (node?.textContent ?? '')
    .replaceAll(/[\u2068\u2069]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
const rowOf = (element: McpStorage, action: StorageAction): HTMLElement =>
  inside(element, `[part="row ${action}"]`);
const outcomeOf = (element: McpStorage, action: StorageAction): string =>
  wordsOf(rowOf(element, action).querySelector('.outcome'));

async function press(element: McpStorage, selector: string): Promise<void> {
  inside(element, selector).click();
  await element.updateComplete;
}

const start = (element: McpStorage, action: StorageAction): Promise<void> =>
  press(element, `[data-action=${action}]`);

/** Chooses a file for an import, as the picker does. */
async function choose(element: McpStorage, file: File): Promise<void> {
  const input = inside(element, '[type=file]') as HTMLInputElement;
  const transfer = new DataTransfer();
  transfer.items.add(file);
  input.files = transfer.files;
  input.dispatchEvent(new Event('change'));
  await element.updateComplete;
}

async function type(element: McpStorage, name: string, text: string): Promise<void> {
  (await eventually(() => element.shadowRoot!.querySelector<HTMLInputElement>(`#${name}`))).value =
    text;
}

/** Whether the browser would ask before the page is left. */
const isAskedBeforeUnload = (): boolean =>
  !dispatchEvent(new Event('beforeunload', { cancelable: true }));

describe('<mcp-storage>', () => {
  const { createObjectURL } = URL;
  const { click } = HTMLAnchorElement.prototype;
  /** What was handed to the downloads of the browser. */
  let saved: { name: string; blob: Blob }[] = [];
  let done: McpStorageDoneEvent[] = [];
  const onDone = (event: McpStorageDoneEvent): unknown => done.push(event);

  beforeEach(() => {
    saved = [];
    done = [];
    document.addEventListener('mcp-storage-done', onDone);
    let blob: Blob;
    URL.createObjectURL = (object) => createObjectURL((blob = object as Blob));
    HTMLAnchorElement.prototype.click = function save() {
      if (this.download) saved.push({ name: this.download, blob });
      else click.call(this);
    };
  });

  afterEach(async () => {
    document.removeEventListener('mcp-storage-done', onDone);
    URL.createObjectURL = createObjectURL;
    HTMLAnchorElement.prototype.click = click;
    await setLanguage('en');
  });

  it('says how much there is, in the language of the page, and why that is not known', async () => {
    const storage = new HostStorage();
    const element = await show(storage);
    expect(wordsOf(inside(element, '.amount'))).to.equal('Notes: 4 · Files: 2 1.2 MB of 10 GB');
    expect((inside(element, 'meter') as HTMLMeterElement).value).to.equal(1_200_000);
    await setLanguage('zh');
    await eventually(() => wordsOf(inside(element, '.count')) === '笔记：4 · 文件：2');
    await setLanguage('en');
    storage.amount = { notes: 1_234, files: 0, persisted: true };
    element.refresh();
    await eventually(() => wordsOf(inside(element, '.amount')) === 'Notes: 1,234 · Files: 0');
    expect(wordsOf(rowOf(element, 'persist'))).to.contain('has promised not to delete it');
    expect(element.shadowRoot!.querySelector('[data-action=persist]') === null).to.equal(true);
    storage.estimate = async () => {
      throw new Error('The worker of this page is gone.');
    };
    element.refresh();
    const problem = await eventually(() => element.shadowRoot!.querySelector('.amount.problem'));
    expect(wordsOf(problem)).to.equal('The worker of this page is gone.');
    await expect(element).to.be.accessible();
  });

  it('says that there is no storage, and takes one later', async () => {
    const element = await show(undefined);
    expect(wordsOf(element.shadowRoot)).to.equal('There is no storage here.');
    element.storage = new HostStorage();
    await eventually(() => element.shadowRoot!.querySelector('.count'));
  });

  it('counts, exports, deletes and imports what a runtime keeps', async () => {
    const runtime = await startRuntime({ databaseName: `storage-element-${crypto.randomUUID()}` });
    try {
      await runtime.notes.create({ title: 'Kept', text: 'Words.' });
      const client = await runtime.connect();
      const element = await show(runtime.storage);
      element.client = client;
      await eventually(() => wordsOf(inside(element, '.count')) === 'Notes: 1 · Files: 0');
      // The client reports it.
      await client.watch('inpage:///storage', () => undefined).ready;
      await runtime.files.write('a.txt', new Blob(['a']));
      await eventually(() => wordsOf(inside(element, '.count')) === 'Notes: 1 · Files: 1');
      await start(element, 'export');
      await eventually(() => done.length === 1);
      await start(element, 'clear');
      await press(element, '.question .danger');
      await eventually(() => wordsOf(inside(element, '.count')) === 'Notes: 0 · Files: 0');
      await choose(element, new File([saved[0]!.blob], saved[0]!.name));
      await eventually(() => done.length === 3);
      expect(outcomeOf(element, 'import')).to.equal('Added: 2');
      expect(done.map(({ action, isComplete }) => [action, isComplete])).to.deep.equal([
        ['export', true],
        ['clear', true],
        ['import', true],
      ]);
      expect((await runtime.notes.list()).notes.map(({ title }) => title)).to.deep.equal(['Kept']);
    } finally {
      await runtime.storage.clear();
      await runtime.close();
    }
  });

  it('asks the browser to keep the data, and says what it has answered', async () => {
    const storage = new HostStorage();
    const element = await show(storage);
    const cases = [
      [{ persisted: true }, 'The browser keeps it until you delete it.', true],
      [{ persisted: false, isAsking: true }, 'The browser asks you whether to keep it.', false],
      [{ persisted: false }, /^Not yet\./, false],
    ] as const;
    for (const [answer, words, isComplete] of cases) {
      await start(element, 'persist');
      expect(outcomeOf(element, 'persist')).to.equal('Asking the browser …');
      storage.resolve(answer);
      await eventually(() => new RegExp(words).test(outcomeOf(element, 'persist')));
      expect(done.at(-1)).to.include({ action: 'persist', failed: false, isComplete });
    }
  });

  it('exports into the downloads, with the day in the name', async () => {
    const storage = new HostStorage();
    const element = await show(storage);
    element.setAttribute('export-name', 'recipes');
    await start(element, 'export');
    expect(element.matches(':state(running)')).to.equal(true);
    expect(isAskedBeforeUnload()).to.equal(true);
    storage.options!.onProgress(1, 4);
    await element.updateComplete;
    const { max, value } = inside(element, 'progress') as HTMLProgressElement;
    expect([value, max]).to.deep.equal([1, 4]);
    await expect(element).to.be.accessible();
    // One at a time.
    await start(element, 'clear');
    await start(element, 'persist');
    expect(storage.calls).to.deep.equal([['exportZip']]);
    storage.give('zip');
    await eventually(() => saved.length === 1);
    const { name, blob } = saved[0]!;
    expect(name).to.match(/^recipes-\d{4}-\d\d-\d\d\.zip$/);
    expect(await blob.text()).to.equal('zip');
    // Of no type that a browser shows.
    expect(blob.type).to.equal('application/octet-stream');
    await eventually(() => outcomeOf(element, 'export') === `It is in your downloads: ${name}`);
    expect(element.matches(':state(running)')).to.equal(false);
    expect(isAskedBeforeUnload()).to.equal(false);
  });

  it('cancels, goes on where the focus was, and says why something has failed', async () => {
    const storage = new HostStorage();
    const element = await show(storage);
    await start(element, 'export');
    inside(element, '.cancel').focus();
    await press(element, '.cancel');
    await eventually(() => outcomeOf(element, 'export') !== '');
    expect(outcomeOf(element, 'export')).to.equal('Cancelled: nothing was saved.');
    expectFocus(element, '[data-action=export]');
    expect(done[0]).to.include({ failed: false, isComplete: false });
    await choose(element, new File([], 'a.zip'));
    await press(element, '.cancel');
    await eventually(() => outcomeOf(element, 'import').startsWith('Cancelled. What was imported'));

    const cases: [object, string][] = [
      [{ message: 'It is damaged.' }, 'It is damaged.'],
      [
        { quota: { usedBytes: 900, quotaBytes: 1_000 } },
        'There is no room left: 900 bytes of 1.0 kB are taken. Delete what you can do without, then try again.',
      ],
      [
        { quota: { usedBytes: 700, quotaBytes: 1_000 } },
        'There is no room left, in the browser or on the disk. This site takes 700 bytes. Make room, then try again.',
      ],
      [{ message: '', quota: { usedBytes: 'all' } }, 'Something went wrong.'],
    ];
    for (const [error, words] of cases) {
      await start(element, 'export');
      storage.reject(error);
      await eventually(() => outcomeOf(element, 'export') !== '');
      expect(outcomeOf(element, 'export')).to.equal(words);
      expect(done.at(-1)).to.include({ text: words, failed: true, isComplete: false });
    }
    await expect(element).to.be.accessible();
    element.reset();
    await element.updateComplete;
    expect(outcomeOf(element, 'export')).to.equal('');
  });

  it('deletes only after a yes', async () => {
    const storage = new HostStorage();
    const element = await show(storage);
    const refusals: (() => Promise<unknown>)[] = [
      () => press(element, '.question .no'),
      () => sendKeys({ press: 'Escape' }),
      async () => element.reset(),
    ];
    for (const refuse of refusals) {
      inside(element, '[data-action=clear]').focus();
      await start(element, 'clear');
      expect(wordsOf(inside(element, '#question'))).to.match(
        /^Notes: 4 · Files: 2\. All of it will be gone/,
      );
      await eventually(() => element.shadowRoot!.activeElement?.matches('.question .no'));
      await refuse();
      await eventually(() => element.shadowRoot!.querySelector('.question') === null);
      expectFocus(element, '[data-action=clear]');
    }
    // Who clicks again is asked again, and once.
    await start(element, 'clear');
    await start(element, 'clear');
    expect(storage.calls).to.deep.equal([]);
    await press(element, '.question .danger');
    await eventually(() => storage.calls.length === 1);
    storage.resolve();
    await eventually(() => done.length === 1);
    expect(storage.calls).to.deep.equal([['clear']]);
    expect(done[0]).to.include({
      action: 'clear',
      text: 'Everything is deleted.',
      isComplete: true,
    });
  });

  it('asks before a large import, and a removed element answers no', async () => {
    const storage = new HostStorage();
    const element = await show(storage);
    const zip = new File(['zip'], 'a.zip');
    const answers: [answer: () => unknown, words: string][] = [
      [() => press(element, '.question .no'), 'Nothing was imported.'],
      [() => element.remove(), 'Nothing was imported.'],
      [() => press(element, '.question .primary'), 'Added: 3'],
    ];
    for (const [answer, words] of answers) {
      if (!element.isConnected) document.body.append(element);
      await choose(element, zip);
      storage.reject({ code: 'too-large', message: 'It needs 3 GB.' });
      await eventually(() => element.shadowRoot!.querySelector('.question'));
      expect(wordsOf(inside(element, '#question'))).to.equal('It needs 3 GB.');
      await answer();
      if (words.startsWith('Added')) {
        await eventually(() => storage.options?.maxBytes === Infinity);
        storage.resolve({ ...NOTHING, notes: { ...NONE, added: 3 } });
      }
      await eventually(() => outcomeOf(element, 'import') === words);
    }
    element.remove();
  });

  it('says what an import has done, and what it has left out', async () => {
    const storage = new HostStorage();
    const element = await show(storage);
    const skipped = Array.from({ length: 25 }, (_, index) => ({
      name: index === 0 ? `<img src=x onerror=alert(1)>${'x'.repeat(10_000)}` : `files/${index}`,
      reason: 'It is damaged.',
    }));
    const reports: [DataImport, RegExp][] = [
      [NOTHING, /^There was nothing in it\.$/],
      [
        {
          notes: { added: 1_000, updated: 2, unchanged: 3, older: 4, copied: 5 },
          files: { added: 1, updated: 1, unchanged: 1, older: 1, copied: 1 },
          edited: ['a.md'],
          skipped,
          skippedCount: 1_030,
        },
        /^Added: 1,001 · Newer than here: 3 · As before: 4 · Older than here, and left out: 5 · Different here, and kept as copies: 6 · Changed by another program: 1 · Left out: 1,030 /,
      ],
    ];
    for (const [report, words] of reports) {
      await choose(element, new File(['zip'], 'a.zip'));
      storage.resolve(report);
      await eventually(() => outcomeOf(element, 'import') !== '');
      expect(outcomeOf(element, 'import')).to.match(words);
    }
    const linesOf = (): string[] =>
      [...element.shadowRoot!.querySelectorAll('.outcome li')].map(wordsOf);
    const lines = linesOf();
    expect(lines).to.have.length(21);
    expect(lines[0])
      .to.match(/^<img src=x/)
      .and.to.have.length.below(510);
    expect(lines.at(-1)).to.equal('And others: 1,010');
    for (const [count, last] of [
      [20, 'files/19: It is damaged.'],
      [21, 'And others: 1'],
    ] as const) {
      await choose(element, new File(['zip'], 'a.zip'));
      storage.resolve({ ...NOTHING, skipped: skipped.slice(0, count), skippedCount: count });
      await eventually(() => outcomeOf(element, 'import').startsWith(`Left out: ${count}`));
      expect(linesOf()).to.have.length(count);
      expect(linesOf().at(-1)).to.equal(last);
    }
  });

  it('encrypts an export with a passphrase of at least twelve characters, typed twice', async () => {
    const storage = new HostStorage();
    const element = await show(storage, protection);
    await press(element, '.check input');
    const cases = [
      ['passphrase', '😀 eleven ch', '😀 eleven ch', /^At least 12 characters/],
      ['repeated', 'twelve chars', 'twelve Chars', /^The two are not the same\.$/],
    ] as const;
    for (const [field, first, second, words] of cases) {
      await type(element, 'passphrase', first);
      await type(element, 'repeated', second);
      await start(element, 'export');
      const problem = await eventually(() => element.shadowRoot!.querySelector('.field .problem'));
      expect(wordsOf(problem)).to.match(words);
      expectFocus(element, `#${field}[aria-invalid=true]`);
      await expect(element).to.be.accessible();
    }
    expect(storage.calls).to.deep.equal([]);
    await type(element, 'passphrase', '😀 eleven cha');
    await type(element, 'repeated', '😀 eleven cha');
    inside(element, '#repeated').focus();
    await sendKeys({ press: 'Enter' });
    await eventually(() => storage.calls.length === 1);
    // What the user has asked for holds, whatever the page does meanwhile.
    element.protection = undefined;
    storage.give('zip');
    await eventually(() => saved.length === 1);
    expect(saved[0]!.name).to.match(/\.zip\.locked$/);
    expect(await saved[0]!.blob.text()).to.equal('😀 eleven cha:zip');
    element.protection = protection;
    await eventually(() => element.shadowRoot!.querySelector('.check'));
    expect(element.shadowRoot!.querySelector('#passphrase') === null).to.equal(true);
  });

  it('opens a protected file with its passphrase, which can be typed again', async () => {
    const storage = new HostStorage();
    const element = await show(storage, protection);
    await choose(element, new File(['secret:zip'], 'a.zip.locked'));
    const field = await eventually(() =>
      element.shadowRoot!.querySelector<HTMLInputElement>('#unlocking'),
    );
    await eventually(() => element.shadowRoot!.activeElement === field);
    await expect(element).to.be.accessible();
    await sendKeys({ press: 'Enter' });
    await eventually(() => element.shadowRoot!.querySelector('.field .problem'));
    await type(element, 'unlocking', 'another');
    await sendKeys({ press: 'Enter' });
    await eventually(() => outcomeOf(element, 'import') === 'It is another one.');
    expect(storage.calls).to.deep.equal([]);
    await eventually(() => field.selectionEnd === 'another'.length);
    await sendKeys({ type: 'secret' });
    await sendKeys({ press: 'Enter' });
    await eventually(() => storage.calls.length === 1);
    expect(await (storage.calls[0]![1] as Blob).text()).to.equal('zip');
    storage.resolve(NOTHING);
    await eventually(() => element.shadowRoot!.querySelector('#unlocking') === null);
    expect(outcomeOf(element, 'import')).to.equal('There was nothing in it.');
  });

  it('without a protection offers no passphrase, and imports any file as it is', async () => {
    const storage = new HostStorage();
    const element = await show(storage);
    expect(element.shadowRoot!.querySelector('[type=checkbox]') === null).to.equal(true);
    await choose(element, new File(['secret:zip'], 'a.zip.locked'));
    await eventually(() => storage.calls.length === 1);
    expect((inside(element, '[type=file]') as HTMLInputElement).files).to.have.length(0);
    storage.resolve(NOTHING);
    await eventually(() => done.length === 1);
  });

  it('does not cancel an export where a passphrase is not entered', async () => {
    const storage = new HostStorage();
    const element = await show(storage, protection);
    await choose(element, new File(['secret:zip'], 'a.zip.locked'));
    await eventually(() => element.shadowRoot!.querySelector('#unlocking'));
    await start(element, 'export');
    inside(element, 'form:has(#unlocking) button[type=button]').click();
    await eventually(() => element.shadowRoot!.querySelector('#unlocking') === null);
    expect(storage.options!.signal.aborted).to.equal(false);
    element.storage = undefined;
    await element.updateComplete;
  });

  it('forgets what it has said and asked when it gets another storage', async () => {
    const storage = new HostStorage();
    const element = await show(storage, protection);
    await start(element, 'persist');
    storage.resolve({ persisted: true });
    await eventually(() => outcomeOf(element, 'persist').startsWith('The browser keeps'));
    await choose(element, new File([], 'a.locked'));
    await eventually(() => element.shadowRoot!.querySelector('#unlocking'));
    await start(element, 'clear');
    const other = new HostStorage();
    other.amount = { notes: 0, files: 0 };
    element.storage = other;
    await eventually(() => wordsOf(inside(element, '.count')) === 'Notes: 0 · Files: 0');
    expect(element.shadowRoot!.querySelector('#unlocking, .question') === null).to.equal(true);
    expect(outcomeOf(element, 'persist')).to.equal('');
    expect([...storage.calls, ...other.calls]).to.deep.equal([['persist']]);
  });

  it('encrypts also what goes into a file that the user chooses, and keeps no half of one', async () => {
    const written: string[] = [];
    const aborted: unknown[] = [];
    const picker = {
      showSaveFilePicker: async ({ suggestedName }: { suggestedName: string }) => ({
        createWritable: async () =>
          new WritableStream<Uint8Array>({
            write: (chunk) => void written.push(new TextDecoder().decode(chunk)),
            close: () => void written.push(suggestedName),
            abort: (reason) => void aborted.push(reason),
          }),
      }),
    };
    const own = Object.getOwnPropertyDescriptor(window, 'showSaveFilePicker');
    try {
      Object.defineProperty(window, 'showSaveFilePicker', {
        configurable: true,
        value: picker.showSaveFilePicker,
      });
      const storage = new HostStorage();
      const element = await show(storage, protection);
      for (const passphrase of ['', 'a long passphrase']) {
        if (passphrase) await press(element, '.check input');
        if (passphrase) await type(element, 'passphrase', passphrase);
        if (passphrase) await type(element, 'repeated', passphrase);
        const exporting = element.exportToFile();
        // The second call finds the picker open.
        await element.exportToFile();
        await eventually(() => storage.calls.length === 1);
        storage.give('zip');
        await exporting;
        expect(done.at(-1)).to.include({ text: 'Everything is exported.', isComplete: true });
        const [content, name] = [written.slice(0, -1).join(''), written.at(-1)];
        expect(content).to.equal(passphrase ? `${passphrase}:zip` : 'zip');
        expect(name).to.match(passphrase ? /\.zip\.locked$/ : /\.zip$/);
        written.length = storage.calls.length = 0;
      }
      const failing = element.exportToFile();
      await eventually(() => storage.calls.length === 1);
      storage.reject({ message: 'It is damaged.' });
      await failing;
      expect(aborted).to.have.length(1);
      expect(done.at(-1)).to.include({ text: 'It is damaged.', failed: true });
      element.storage = undefined;
      await element.exportToFile();
      // Without a picker, it does what “Export” does, with the passphrase.
      Object.defineProperty(window, 'showSaveFilePicker', { configurable: true, value: undefined });
      Reflect.deleteProperty(window, 'showSaveFilePicker');
      const other = new HostStorage();
      element.storage = other;
      await eventually(() => element.shadowRoot!.querySelector('.check input'));
      await press(element, '.check input');
      await type(element, 'passphrase', 'a long passphrase');
      await type(element, 'repeated', 'a long passphrase');
      const last = element.exportToFile();
      await eventually(() => other.calls.length === 1);
      other.give('zip');
      await last;
      expect(await saved[0]!.blob.text()).to.equal('a long passphrase:zip');
    } finally {
      if (own) Object.defineProperty(window, 'showSaveFilePicker', own);
      else Reflect.deleteProperty(window, 'showSaveFilePicker');
    }
  });

  it('encrypts with what the user has chosen, though the page takes it away', async () => {
    const storage = new HostStorage();
    const element = await show(storage, protection);
    await press(element, '.check input');
    await type(element, 'passphrase', 'a long passphrase');
    await type(element, 'repeated', 'a long passphrase');
    element.protection = undefined;
    inside(element, '[data-action=export]').click();
    await eventually(() => storage.calls.length === 1);
    storage.give('zip');
    await eventually(() => saved.length === 1);
    expect(await saved[0]!.blob.text()).to.equal('a long passphrase:zip');
    // An export of nothing is none.
    await start(element, 'export');
    storage.resolve(undefined);
    await eventually(() => done.length === 2);
    expect(done[1]).to.include({ failed: true, isComplete: false });
    expect(saved).to.have.length(1);
  });

  it('says that it asks something, and no for a user who cannot answer', async () => {
    const asked: string[] = [];
    const onQuestion = ({ action }: { action: string }): unknown => asked.push(action);
    document.addEventListener('mcp-storage-question', onQuestion);
    const storage = new HostStorage();
    const element = await show(storage);
    const zip = new File(['zip'], 'a.zip');
    await choose(element, zip);
    storage.reject({ code: 'too-large', message: 'It needs 3 GB.' });
    await eventually(() => asked.length === 1);
    expect(asked).to.deep.equal(['import']);
    // A question of what runs stays, as when the page shows the element again.
    element.reset();
    await element.updateComplete;
    await press(element, '.question .no');
    await eventually(() => done.length === 1);
    // Removed before it asks.
    await choose(element, zip);
    element.remove();
    storage.reject({ code: 'too-large', message: 'It needs 3 GB.' });
    await eventually(() => !element.matches(':state(running)'));
    expect(isAskedBeforeUnload()).to.equal(false);
    document.body.append(element);
    await eventually(() => outcomeOf(element, 'import') === 'Nothing was imported.');
    // Cancelled before it asks.
    await choose(element, zip);
    inside(element, '.cancel').click();
    storage.reject({ code: 'too-large', message: 'It needs 3 GB.' });
    await eventually(() => outcomeOf(element, 'import').startsWith('Cancelled'));
    expect(asked).to.have.length(1);
    element.remove();
    document.removeEventListener('mcp-storage-question', onQuestion);
  });

  it('leaves a storage that the page takes away, whatever it does', async () => {
    const storage = new HostStorage();
    const other = new HostStorage();
    const element = await show(storage);
    // A yes is for the storage that it was asked about.
    await start(element, 'clear');
    element.storage = other;
    inside(element, '.question .danger').click();
    await element.updateComplete;
    expect([...storage.calls, ...other.calls]).to.deep.equal([]);
    // One that never answers keeps nobody.
    other.estimate = () => new Promise<never>(() => undefined);
    element.refresh();
    await start(element, 'export');
    const third = new HostStorage();
    third.amount = { notes: 7, files: 0 };
    element.storage = third;
    await eventually(() => wordsOf(inside(element, '.count')) === 'Notes: 7 · Files: 0');
    expect(other.options!.signal.aborted).to.equal(true);
    expect(element.matches(':state(running)')).to.equal(false);
    expect(isAskedBeforeUnload()).to.equal(false);
    expect(done).to.deep.equal([]);
    // A user who wants something else has not said yes.
    await start(element, 'clear');
    await start(element, 'persist');
    expect(element.shadowRoot!.querySelector('.question') === null).to.equal(true);
    expect(third.calls).to.deep.equal([['persist']]);
  });

  it('asks before the page is left as long as one of several exports', async () => {
    const [a, b] = [new HostStorage(), new HostStorage()];
    const [first, second] = [await show(a), await show(b)];
    await start(first, 'export');
    await start(second, 'export');
    a.give('zip');
    await eventually(() => done.length === 1);
    expect(isAskedBeforeUnload()).to.equal(true);
    await press(second, '.cancel');
    await eventually(() => done.length === 2);
    expect(isAskedBeforeUnload()).to.equal(false);
  });

  it('takes no focus from another part of the page, nor from another field', async () => {
    const storage = new HostStorage();
    const page = await fixture<HTMLElement>(
      html`<div>
        <input id="elsewhere" />
        <div id="host"></div>
      </div>`,
    );
    const host = page.querySelector('#host')!;
    host.attachShadow({ mode: 'open' });
    const element = document.createElement('mcp-storage');
    Object.assign(element, { storage, protection });
    host.shadowRoot!.append(element);
    await eventually(() => element.shadowRoot!.querySelector('.count'));
    const elsewhere = page.querySelector<HTMLElement>('#elsewhere')!;
    for (const field of [elsewhere, undefined]) {
      if (!field) await press(element, '.check input');
      await choose(element, new File(['zip'], 'a.zip'));
      await eventually(() => storage.calls.length === 1);
      (field ?? inside(element, '#passphrase')).focus();
      storage.reject({ code: 'too-large', message: 'It needs 3 GB.' });
      await eventually(() => element.shadowRoot!.querySelector('.question'));
      await element.updateComplete;
      if (field) expect(document.activeElement?.id).to.equal('elsewhere');
      else expectFocus(element, '#passphrase');
      await press(element, '.question .no');
      await eventually(() => !element.matches(':state(running)'));
      storage.calls.length = 0;
    }
    await choose(element, new File(['secret:zip'], 'a.zip.locked'));
    await type(element, 'unlocking', 'another');
    inside(element, 'form:has(#unlocking)').dispatchEvent(
      new Event('submit', { cancelable: true }),
    );
    elsewhere.focus();
    await eventually(() => outcomeOf(element, 'import') === 'It is another one.');
    expect(document.activeElement?.id).to.equal('elsewhere');
    // Another file does not get what was typed for the first one, nor what comes back into the page.
    await choose(element, new File(['secret:zip'], 'b.zip.locked'));
    const valueOf = async (): Promise<string> =>
      (await eventually(() => element.shadowRoot!.querySelector<HTMLInputElement>('#unlocking')))
        .value;
    expect(await valueOf()).to.equal('');
    await type(element, 'unlocking', 'another');
    const { protection: chosen } = element;
    element.protection = { ...protection, open: () => Promise.reject(new Error('It is no one.')) };
    element.protection = chosen;
    await element.updateComplete;
    element.remove();
    host.shadowRoot!.append(element);
    await element.updateComplete;
    expect(element.shadowRoot!.querySelector('#unlocking, .question') === null).to.equal(true);
  });

  it('shows what a wrong answer has of amounts, and says so where it has none', async () => {
    const storage = new HostStorage();
    const element = await show(storage);
    for (const wrong of [undefined, {}, { notes: -1, files: 0 }, { notes: NaN, files: 1 }]) {
      storage.amount = wrong as unknown as DataEstimate;
      element.refresh();
      await eventually(() => element.shadowRoot!.querySelector('.amount.problem'));
      storage.amount = { notes: 1, files: 1, usedBytes: Infinity, quotaBytes: NaN };
      element.refresh();
      await eventually(() => element.shadowRoot!.querySelector('.count'));
      expect(element.shadowRoot!.querySelector('meter') === null).to.equal(true);
    }
    for (const wrong of [undefined, {}, { notes: { added: 'all' }, files: null, skipped: 3 }]) {
      await choose(element, new File(['zip'], 'a.zip'));
      storage.resolve(wrong);
      await eventually(() => outcomeOf(element, 'import') === 'There was nothing in it.');
    }
    await choose(element, new File(['zip'], 'a.zip'));
    const skipped = [{ name: 'x'.repeat(1_000), reason: 'It is damaged.' }, null];
    storage.resolve({ ...NOTHING, skipped, skippedCount: 2 });
    await eventually(() => outcomeOf(element, 'import').startsWith('Left out: 2'));
    expect(wordsOf(inside(element, '.outcome li'))).to.match(/^x+….*: It is damaged\.$/);
  });

  it('has room in a dialog and in a row, and its words are whole at 200 pixels', async () => {
    const storage = new HostStorage();
    const places = await fixture<HTMLElement>(
      html`<div>
        <dialog><mcp-storage .storage=${storage}></mcp-storage></dialog>
        <div style="display: flex"><mcp-storage .storage=${storage}></mcp-storage></div>
        <div style="inline-size: 200px"><mcp-storage .storage=${storage}></mcp-storage></div>
      </div>`,
    );
    places.querySelector('dialog')!.showModal();
    const [inDialog, inRow, narrow] = [...places.querySelectorAll('mcp-storage')];
    for (const element of [inDialog!, inRow!, narrow!])
      await eventually(() => element.shadowRoot!.querySelector('.count'));
    expect(inDialog!.offsetWidth).to.be.greaterThan(300);
    expect(inRow!.offsetWidth).to.be.greaterThan(300);
    for (const title of narrow!.shadowRoot!.querySelectorAll('h3'))
      expect(title.getClientRects()[0]!.height, title.textContent).to.be.lessThan(80);
  });

  it('has a focus after each step', async () => {
    const storage = new HostStorage();
    const element = await show(storage);
    inside(element, '[data-action=persist]').focus();
    await start(element, 'persist');
    storage.amount = { ...storage.amount, persisted: true };
    storage.resolve({ persisted: true });
    await eventually(() => element.shadowRoot!.querySelector('[data-action=persist]') === null);
    expectFocus(element, '#persist');
    element.removeAttribute('export-name');
    element.setAttribute('export-name', 'a');
    element.removeAttribute('export-name');
    await start(element, 'export');
    storage.give('zip');
    await eventually(() => saved.length === 1);
    expect(saved[0]!.name).to.match(/^notes-/);
    // A question that is open is in the language of the page.
    await start(element, 'clear');
    await setLanguage('ja');
    await eventually(() => wordsOf(inside(element, '.question .no')) === 'すべて残す');
  });
});
