import { connectClient } from '@inpage-mcp/client';
import { MessagePortTransport } from '@inpage-mcp/transport';
import { expect, fixture, html } from '@open-wc/testing';
import '@inpage-mcp/elements/all';
import type { McpResourceView } from '@inpage-mcp/elements';
import { eventually, frames, inside } from '../support/elements.js';
import { useFakeTimers } from '../support/fake-timers.js';
import { useLinkedClient } from '../support/linked-server.js';

/** One transparent pixel. */
const PNG = Uint8Array.from(
  atob(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  ),
  (character) => character.charCodeAt(0),
);

describe('<mcp-resource-view>', () => {
  const setup = useLinkedClient();

  const show = async (uri?: string): Promise<McpResourceView> =>
    await fixture<McpResourceView>(
      html`<mcp-resource-view .client=${setup.client} .uri=${uri}></mcp-resource-view>`,
    );
  const find = (view: McpResourceView, selector: string): Promise<HTMLElement> =>
    eventually(() => view.shadowRoot!.querySelector<HTMLElement>(selector));
  const createNote = async (text: string): Promise<{ id: string; uri: string }> => {
    const { id } = await setup.linked.server.store.notes.create({ title: 'a', text });
    return { id, uri: `note:///${id}` };
  };

  it('asks for a choice while it has no uri', async () => {
    const view = await show();
    expect(view.shadowRoot!.querySelector('slot[name=empty]')).not.to.equal(null);
    await expect(view).to.be.accessible();
  });

  it('is busy while it reads', async () => {
    const never = {
      watch: () => undefined,
      watchState: () => undefined,
      readResource: () => new Promise(() => undefined),
    };
    const view = await fixture<McpResourceView>(
      html`<mcp-resource-view .client=${never as never} uri="a:b"></mcp-resource-view>`,
    );
    expect(inside(view, '[aria-busy=true]')).to.be.ok;
    await expect(view).to.be.accessible();
  });

  it('shows text as text, whatever is in it', async () => {
    const text = '<img src=x onerror="document.title=1"><script>alert(1)</script>\n# Hi';
    await setup.linked.server.store.files.write('a.html', new Blob([text]));
    const view = await show('file:///a.html');
    const shown = await find(view, 'pre');
    expect(shown.textContent).to.equal(text);
    expect(view.shadowRoot!.querySelector('img, script')).to.equal(null);
    await expect(view).to.be.accessible();
  });

  it('shows the several contents of a folder one below the other, each with its name', async () => {
    const { files } = setup.linked.server.store;
    await files.write('a/b c.txt', new Blob(['text']));
    await files.write('a/d.md', new Blob(['# Heading']));
    await files.write('a/e.png', new Blob([PNG]));
    await files.write('a/f.bin', new Blob([PNG]));
    const view = await show('file:///a/');
    await find(view, '.download');
    const sections = [...view.shadowRoot!.querySelectorAll('section')];
    const names = ['b c.txt', 'd.md', 'e.png', 'f.bin'];
    expect(sections.map((section) => section.ariaLabel)).to.deep.equal(names);
    // What is offered as a download says its name by itself.
    const shown = sections.map((section) => section.querySelector('.name')?.textContent);
    expect(shown).to.deep.equal(['b c.txt', 'd.md', 'e.png', undefined]);
    expect(sections[3]!.querySelector('strong')!.textContent).to.equal('f.bin');
    await expect(view).to.be.accessible();
  });

  it('formats Markdown', async () => {
    const { uri } = await createNote(
      [
        '# Heading\n\nSome **strong**, *soft* and `code` words, ~~gone~~.\n',
        '- [x] done\n- [ ] to do\n\n3. three\n4. four\n',
        '> said\n\n```js\nlet a = 1 < 2;\n```\n\n---\n\n| a | b |\n|---|---|\n| 1 | 2 |\n',
        '[web](https://example.com/) <me@example.com>',
      ].join('\n'),
    );
    const view = await show(uri);
    const shown = await find(view, '.markdown');
    expect(shown.querySelector('h1')!.textContent).to.equal('Heading');
    expect(shown.querySelector('pre')!.textContent).to.equal('let a = 1 < 2;');
    expect([...shown.querySelectorAll('input')].map(({ checked }) => checked)).to.deep.equal([
      true,
      false,
    ]);
    const items = [...shown.querySelectorAll('li')].map(({ textContent }) => textContent.trim());
    expect(items).to.deep.equal(['done', 'to do', 'three', 'four']);
    expect(shown.querySelector('ol')!.start).to.equal(3);
    expect([...shown.querySelectorAll('td')].map(({ textContent }) => textContent)).to.deep.equal([
      '1',
      '2',
    ]);
    const links = [...shown.querySelectorAll('a')];
    expect(links.map(({ href }) => href)).to.deep.equal([
      'https://example.com/',
      'mailto:me@example.com',
    ]);
    expect(links[0]!.rel).to.equal('noopener noreferrer');
    for (const name of ['strong', 'em', 'code', 'del', 'blockquote', 'hr']) {
      expect(shown.querySelector(name), name).not.to.equal(null);
    }
    await expect(view).to.be.accessible();
  });

  it('runs and loads nothing of hostile Markdown, and shows what it says', async () => {
    const text = [
      '<img src=x onerror="window.hacked = 1"> <b>bold?</b>',
      '<script>window.hacked = 1</script>',
      '![tracker](https://example.com/pixel.png)',
      '[click](javascript:window.hacked=1) [tab](\u0001javascript:window.hacked=1)',
      '[data](data:text/html,<script>parent.hacked=1</script>) [vb](vbscript:x) [note](note:///x)',
      '<javascript:window.hacked=1>',
      '[__proto__]: x',
    ].join('\n\n');
    const { uri } = await createNote(text);
    const view = await show(uri);
    const shown = await find(view, '.markdown');
    const { shadowRoot } = view;
    expect(shadowRoot!.querySelector('img, script, iframe, object, embed, b')).to.equal(null);
    expect([...shadowRoot!.querySelectorAll('a')].map(({ href }) => href)).to.deep.equal([
      'https://example.com/pixel.png',
    ]);
    expect(shown.textContent).to.contain('<script>window.hacked = 1</script>');
    expect(window).not.to.have.property('hacked');
  });

  it('shows Markdown that is nested too deep as plain text, and says so', async () => {
    const deep = `${'> '.repeat(2_000)}the end`;
    const view = await show((await createNote(`# Title\n\n${deep}`)).uri);
    expect((await find(view, '.portion pre')).textContent).to.contain('the end');
    expect(inside(view, '.remark').textContent).to.contain('nested too deep');
    await expect(view).to.be.accessible();
  });

  describe('of a text in another encoding', () => {
    const write = (path: string, bytes: number[]): Promise<unknown> =>
      setup.linked.server.store.files.write(path, new Blob([Uint8Array.from(bytes)]));

    it('formats Markdown after a byte order mark, and in UTF-16', async () => {
      const source = '```js\ncode\n```\n\ntext';
      await write('mark.md', [...new TextEncoder().encode(`\uFEFF${source}`)]);
      await write(
        'wide.md',
        [...`\uFEFF${source}`].flatMap((c) => [c.charCodeAt(0) & 255, c.charCodeAt(0) >> 8]),
      );
      await setup.linked.server.store.notes.create({ title: 'a', text: `\uFEFF${source}` });
      const { notes } = await setup.linked.server.store.notes.list();
      for (const uri of ['file:///mark.md', 'file:///wide.md', `note:///${notes[0]!.id}`]) {
        const view = await show(uri);
        const shown = await find(view, '.markdown');
        expect(shown.querySelector('pre')?.textContent, uri).to.equal('code');
        expect(shown.querySelector('p')?.textContent, uri).to.equal('text');
        expect(view.shadowRoot!.querySelector('[part=encoding]')).to.equal(null);
      }
    });

    it('says that an encoding is a guess, and reads it in the one that the user chooses', async () => {
      // "Список" in KOI8-U, also for a client that gets no Blobs.
      await write('a.txt', [0xf3, 0xd0, 0xc9, 0xd3, 0xcf, 0xcb]);
      const view = await show('file:///a.txt');
      const select = (await find(view, '[part=encoding] select')) as HTMLSelectElement;
      expect([select.value, (await find(view, 'pre')).textContent]).to.deep.equal([
        'koi8-u',
        'Список',
      ]);
      await expect(view).to.be.accessible();
      select.value = 'windows-1251';
      select.dispatchEvent(new Event('change', { bubbles: true }));
      await eventually(() => view.shadowRoot!.querySelector('pre')?.textContent === 'уРЙУПЛ');
      expect((await find(view, '[part=encoding] select')) as HTMLSelectElement).to.equal(select);
      await setup.linked.server.store.files.write('b.txt', new Blob(['plain']));
      view.uri = 'file:///b.txt';
      await eventually(() => view.shadowRoot!.querySelector('pre')?.textContent === 'plain');
      expect(view.shadowRoot!.querySelector('[part=encoding]')).to.equal(null);
      view.uri = 'file:///a.txt';
      await eventually(() => view.shadowRoot!.querySelector('pre')?.textContent === 'Список');
    });
  });

  it('shows an image, from the bytes that were read', async () => {
    await setup.linked.server.store.files.write('a b.png', new Blob([PNG]));
    const view = await show('file:///a%20b.png');
    const image = (await find(view, 'img')) as HTMLImageElement;
    await eventually(() => image.complete && image.naturalWidth === 1);
    expect(image.alt).to.equal('a b.png');
    await expect(view).to.be.accessible();
  });

  it('says why it shows no image that the browser cannot show, such as HEIC', async () => {
    const { files } = setup.linked.server.store;
    await files.write('a.heic', new Blob(['x'], { type: 'application/octet-stream' }));
    await files.write('a.jxl', new Blob(['x'], { type: 'image/jxl' }));
    for (const uri of ['file:///a.heic', 'file:///a.jxl']) {
      const view = await show(uri);
      expect((await find(view, '.download')).textContent).to.contain('cannot show this image');
      expect(inside(view, 'a.button').textContent).to.contain('Download');
    }
  });

  it('shows what came as a Blob like what came in base64', async () => {
    const { files } = setup.linked.server.store;
    await files.write('a.png', new Blob([PNG]));
    await files.write('a.bin', new Blob([PNG], { type: 'application/x-own' }));
    await files.write('empty', new Blob([]));
    const port = setup.linked.openPort();
    const client = await connectClient(new MessagePortTransport(port), { blobs: true });
    const view = await fixture<McpResourceView>(
      html`<mcp-resource-view .client=${client} uri="file:///a.png"></mcp-resource-view>`,
    );
    const image = (await find(view, 'img')) as HTMLImageElement;
    await eventually(() => image.complete && image.naturalWidth === 1);
    view.uri = 'file:///a.bin';
    const link = (await find(view, 'a[download]')) as HTMLAnchorElement;
    expect(inside(view, '.facts').textContent).to.contain(`${PNG.length} bytes`);
    const saved = await (await fetch(link.href)).blob();
    expect(saved.type).to.equal('application/octet-stream');
    expect([...new Uint8Array(await saved.arrayBuffer())]).to.deep.equal([...PNG]);
    view.uri = 'file:///empty';
    const message = await find(view, '.message');
    expect(message.textContent).to.contain('empty');
    await client.close();
  });

  it('offers everything else as a download that nothing can run', async () => {
    const bytes = Uint8Array.from([0, 159, 255, 60, 104, 116, 109, 108, 62]);
    await setup.linked.server.store.files.write(
      'évil.html',
      new Blob([bytes], { type: 'text/html' }),
    );
    const view = await show('file:///%C3%A9vil.html');
    const link = (await find(view, 'a[download]')) as HTMLAnchorElement;
    expect(link.download).to.equal('évil.html');
    expect(view.shadowRoot!.textContent).to.contain('text/html · 9 bytes');
    const response = await fetch(link.href);
    expect(response.headers.get('content-type')).to.equal('application/octet-stream');
    expect([...new Uint8Array(await response.arrayBuffer())]).to.deep.equal([...bytes]);
    await expect(view).to.be.accessible();
  });

  it('says that an empty resource is empty', async () => {
    await setup.linked.server.store.files.write('empty.txt', new Blob([]));
    const view = await show('file:///empty.txt');
    expect((await find(view, '.message')).textContent).to.contain('empty');
    const { uri } = await createNote('');
    view.uri = uri;
    expect((await find(view, '.message')).textContent).to.contain('empty');
    await expect(view).to.be.accessible();
  });

  it('runs no script of an SVG', async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><script>parent.hacked = true; window.hacked = true</script></svg>`;
    await setup.linked.server.store.files.write('a.svg', new Blob([svg]));
    const view = await show('file:///a.svg');
    const image = (await find(view, 'img')) as HTMLImageElement;
    await eventually(() => image.complete && image.naturalWidth === 10);
    expect(window).not.to.have.property('hacked');
  });

  it('reads again when the resource is updated, without a blink', async () => {
    const { id, uri } = await createNote('one');
    const view = await show(uri);
    const shown = await find(view, '.markdown');
    await setup.client.watch(uri, () => undefined).ready;
    let busy = 0;
    new MutationObserver(() => {
      if (view.shadowRoot!.querySelector('[aria-busy]')) busy += 1;
    }).observe(view.shadowRoot!, { childList: true, subtree: true });
    await setup.linked.others.notes.update(id, { text: 'two' });
    await eventually(() => shown.textContent.trim() === 'two');
    expect(busy).to.equal(0);
  });

  it('says when the resource is gone, and shows it when it is back', async () => {
    const view = await show('file:///later.txt');
    const alert = await find(view, '[role=alert]');
    expect(alert.textContent).to.contain('Resource not found');
    await expect(view).to.be.accessible();
    await setup.client.watch('file:///later.txt', () => undefined).ready;
    await setup.linked.server.store.files.write('later.txt', new Blob(['here']));
    expect((await find(view, 'pre')).textContent).to.equal('here');
    await setup.linked.server.store.files.delete('later.txt');
    await find(view, '[role=alert]');
    await setup.linked.server.store.files.write('later.txt', new Blob(['again']));
    inside(view, '[role=alert] button').click();
    await find(view, 'pre');
  });

  it('shows the last of several choices, and says when it has', async () => {
    const notes = await Promise.all(['one', 'two', 'three'].map(createNote));
    const view = await show(notes[0]!.uri);
    const loaded: string[] = [];
    view.addEventListener('mcp-resource-load', ({ uri, durationMs }) => {
      expect(durationMs).to.be.above(0);
      loaded.push(uri);
    });
    for (const { uri } of notes) {
      view.uri = uri;
      await view.updateComplete;
    }
    await eventually(
      () => view.shadowRoot!.querySelector('.markdown')?.textContent.trim() === 'three',
    );
    expect(loaded.at(-1)).to.equal(notes[2]!.uri);
  });

  describe('after it is removed', () => {
    it('watches and reads nothing, until it is inserted again', async () => {
      const watched = new Set<string>();
      const reads: string[] = [];
      const client = {
        watch: (uri: string, _listener: unknown, { signal }: { signal: AbortSignal }) => {
          watched.add(uri);
          signal.addEventListener('abort', () => watched.delete(uri));
        },
        watchState: () => undefined,
        readResource: (uri: string) => {
          reads.push(uri);
          return new Promise(() => undefined);
        },
      };
      const view = await fixture<McpResourceView>(
        html`<mcp-resource-view .client=${client as never} uri="a:b"></mcp-resource-view>`,
      );
      await eventually(() => reads.length === 1);
      const parent = view.parentElement!;
      view.uri = 'a:c';
      view.remove();
      await view.updateComplete;
      expect([...watched]).to.deep.equal([]);
      expect(reads).to.deep.equal(['a:b']);
      parent.append(view);
      await eventually(() => reads.length === 2);
      expect([...watched]).to.deep.equal(['a:c']);
      expect(reads).to.deep.equal(['a:b', 'a:c']);
    });

    it('shows its reading only when it is inserted again', async () => {
      await setup.linked.server.store.files.write('a.png', new Blob([PNG]));
      const view = await show('file:///a.png');
      await find(view, 'img');
      const parent = view.parentElement!;
      view.remove();
      // Such as by a timer of its own.
      view.requestUpdate();
      await frames(4);
      expect(view.shadowRoot!.querySelector('img')).to.equal(null);
      parent.append(view);
      await find(view, 'img');
    });
  });

  describe('while it waits for the colours of code', () => {
    /** The longest time that a text waits for its colours. */
    const HIGHLIGHT_MS = 300;
    const timers = useFakeTimers({ only: (delayMs) => delayMs === HIGHLIGHT_MS });

    it('shows nothing of a resource after another one is chosen', async () => {
      // Each block gets its colours in a task of its own, so that all of them take a while.
      const { uri } = await createNote('```js\nlet late;\n```\n\n'.repeat(200));
      const other = await createNote('other');
      const view = await show(uri);
      await timers.until(1);
      view.uri = other.uri;
      const text = (): string => inside(view, '.markdown').textContent.trim();
      await eventually(() => text() === 'other');
      timers.pass(HIGHLIGHT_MS);
      await frames(2);
      expect(text() === 'other').to.equal(true);
    });
  });

  it('revokes the addresses of what it no longer shows', async () => {
    await setup.linked.server.store.files.write('a.png', new Blob([PNG]));
    const view = await show('file:///a.png');
    const { src } = (await find(view, 'img')) as HTMLImageElement;
    expect((await fetch(src)).ok).to.equal(true);
    view.remove();
    const failure = await fetch(src).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).to.be.instanceOf(TypeError);
  });
});
