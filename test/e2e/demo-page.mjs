// The demo as its user sees it: what to look at and what to do in a tab.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {{ name: string, text: string, type?: string }} TextFile */

/** The titles of the notes of the first run, in the order of the list. */
export const seedTitles = ['Welcome', 'Shopping list', 'Ideas for your own app'];

/** The titles of what the page lists about itself, behind everything else. */
const runtimeTitles = ['Storage', 'Activity'];

/** @param {string} name */
export const fixturePath = (name) => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));

/** @param {Uint8Array} bytes */
export const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** @param {Page} page */
export const listBox = (page) => page.getByRole('listbox', { name: 'Resources' });

/** @param {Page} page */
export const view = (page) => page.locator('mcp-resource-view');

/**
 * Where nothing is open, the empty view has one as well.
 * @param {Page} page
 */
export const newNoteButton = (page) =>
  page.getByRole('region', { name: 'Resources' }).getByRole('button', { name: 'New note' });

/** @param {Page} page */
export const titleField = (page) => page.locator('mcp-note-editor').getByLabel('Title');

/** @param {Page} page */
export const textField = (page) => page.locator('mcp-note-editor').getByLabel('Text');

/** @param {Page} page */
export const conflictBanner = (page) => page.locator('mcp-note-editor').getByRole('alert');

/** @param {Page} page */
export const errorNotices = (page) => page.locator('.notice.error');

/**
 * @param {Page} page
 * @param {string} title
 */
export const row = (page, title) =>
  page.getByRole('option').filter({ has: page.getByText(title, { exact: true }) });

/**
 * Clicks what a row names. It is scrolled to first: a list that scrolls draws other rows with the same elements, and a
 * click that scrolls hits the element.
 * @param {Page} page
 * @param {string} title
 * @param {{ modifiers?: ['Shift'] }} [options]
 */
export async function openRow(page, title, options) {
  const scroll = () => row(page, title).scrollIntoViewIfNeeded();
  // A row that is drawn anew while it is scrolled to is another element.
  await scroll().catch(scroll);
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
  await row(page, title).click(options);
}

/**
 * Waits until the focus is on what these words name: a key, a field or a list.
 * @param {Page} page
 * @param {string} words
 */
export async function waitForFocusOn(page, words) {
  await page.waitForFunction((words) => {
    let focused = document.activeElement;
    while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
    const name = focused?.getAttribute('aria-label') ?? focused?.getAttribute('title');
    return (name ?? focused?.textContent ?? '').trim() === words;
  }, words);
}

/**
 * Waits until the list has these notes, files and folders and no others, in this order, and draws the
 * first of them: it draws only the rows in sight.
 * @param {Page} page
 * @param {string[]} ownTitles
 */
export async function waitForTitles(page, ownTitles) {
  const titles = [...ownTitles, ...runtimeTitles];
  /** @typedef {HTMLElement & { resources: { title?: string, name: string }[] }} List */
  const list = page.locator('mcp-resource-list');
  const shown = () =>
    list.evaluate((element) => {
      const { resources, shadowRoot } = /** @type {List} */ (element);
      const rows = Array.from(shadowRoot?.querySelectorAll('.row .title') ?? []);
      const drawn = rows.map(({ textContent }) => textContent);
      return [...drawn, ...resources.map(({ title, name }) => title ?? name).slice(drawn.length)];
    });
  const until = Date.now() + 30_000;
  let now = await shown();
  while (JSON.stringify(now) !== JSON.stringify(titles) && Date.now() < until) {
    await page.evaluate(() => new Promise(requestAnimationFrame));
    now = await shown();
  }
  assert.deepEqual(now, titles);
}

/**
 * Waits until an image that may take long is drawn, in a frame of its own.
 * @param {Page} page
 */
export async function waitForDrawing(page) {
  const image = view(page).frameLocator('iframe').locator('img');
  const width = await image.evaluate(async (/** @type {HTMLImageElement} */ one) => {
    await one.decode();
    return one.naturalWidth;
  });
  assert.equal(width, 9);
}

/**
 * Waits until the view of the chosen resource shows the text somewhere.
 * @param {Page} page
 * @param {string} text
 */
export async function waitForView(page, text) {
  await view(page).filter({ hasText: text }).waitFor();
}

/** @param {Page} page */
export async function waitUntilSaved(page) {
  await page
    .locator('mcp-note-editor [part=state]')
    .filter({ hasText: /^\s*Saved\s*$/ })
    .waitFor();
}

/**
 * Writes a note as a user does; resolves once it is saved.
 * @param {Page} page
 * @param {{ title: string, text: string }} note
 */
export async function writeNote(page, { title, text }) {
  await newNoteButton(page).click();
  await titleField(page).fill(title);
  await textField(page).pressSequentially(text);
  await waitUntilSaved(page);
}

/**
 * Opens a note in the editor, from anywhere.
 * @param {Page} page
 * @param {string} title
 */
export async function editNote(page, title) {
  await openRow(page, title);
  await page.getByRole('button', { name: 'Edit' }).click();
  await waitUntilSaved(page);
}

/**
 * Deletes what is chosen.
 * @param {Page} page
 */
export async function deleteChosen(page) {
  await page.getByRole('button', { name: 'Delete' }).click();
}

/**
 * Drops files or folders of this machine, as the operating system hands them to the browser.
 * @param {Page} page
 * @param {string[]} paths
 */
export async function dropFromDisk(page, paths) {
  await page.bringToFront();
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  for (const type of /** @type {const} */ (['dragEnter', 'dragOver', 'drop'])) {
    await session.send('Input.dispatchDragEvent', { type, x: 200, y: 200, data });
  }
  await session.detach();
}

/**
 * Drops files that need not be on any disk: with names that not every file system takes.
 * @param {Page} page
 * @param {TextFile[]} files
 */
export async function dropFiles(page, files) {
  await dragFiles(page, files, ['dragenter', 'dragover', 'drop']);
}

/**
 * @param {Page} page
 * @param {TextFile[]} files
 * @param {('dragenter' | 'dragover' | 'dragleave' | 'drop')[]} steps
 */
export async function dragFiles(page, files, steps) {
  await page.evaluate(
    ({ files, steps }) => {
      const dataTransfer = new DataTransfer();
      for (const { name, text, type = '' } of files) {
        dataTransfer.items.add(new File([text], name, { type }));
      }
      for (const step of steps) {
        const options = { bubbles: true, cancelable: true, composed: true, dataTransfer };
        document.body.dispatchEvent(new DragEvent(step, options));
      }
    },
    { files, steps },
  );
}

/**
 * The SHA-256 of what a `blob:` address of the page holds.
 * @param {Page} page
 * @param {string | null} url
 */
export async function sha256At(page, url) {
  assert.ok(url, 'There is no address to read.');
  const bytes = await page.evaluate(async (url) => {
    const { blobs } = /** @type {{ blobs: Map<string, Blob> }} */ (/** @type {unknown} */ (window));
    const blob = blobs.get(url);
    return Array.from(new Uint8Array((await blob?.arrayBuffer()) ?? []));
  }, url);
  return sha256(Uint8Array.from(bytes));
}

/** @typedef {import('../../packages/client/src/index.js').ResourceContents} ResourceContents */

/**
 * Shows the messages of the page's connection.
 * @param {Page} page
 */
export async function showWire(page) {
  await page.getByRole('tab', { name: 'Wire' }).click();
  await page.locator('mcp-wire').waitFor();
}

/**
 * The lines of the wire that hold all of these words.
 * @param {Page} page
 * @param {string[]} words
 */
export function wireLine(page, ...words) {
  let lines = page.locator('mcp-wire [role=option]');
  for (const hasText of words) lines = lines.filter({ hasText });
  return lines;
}

/**
 * The contents of the newest answer to `resources/read` of an address, as it came over the wire.
 * @param {Page} page
 * @param {string} uri
 */
export async function contentsOnTheWire(page, uri) {
  return await page.locator('side-pane').evaluate((pane, uri) => {
    /** @typedef {{ method: string, message: any, answer?: any }} Entry */
    /** @typedef {{ session: { wire: { entries: Entry[] } } }} SidePane */
    const { session } = /** @type {SidePane} */ (/** @type {unknown} */ (pane));
    const read = session.wire.entries.findLast(
      ({ method, message }) => method === 'resources/read' && message.params.uri === uri,
    );
    return /** @type {ResourceContents} */ (read?.answer?.result.contents[0]);
  }, uri);
}

/**
 * Reads a resource through the MCP client of the page.
 * @param {Page} page
 * @param {string} uri
 */
export async function readResource(page, uri) {
  return await page.locator('mcp-provider').evaluate(async (provider, uri) => {
    /** @typedef {import('../../packages/client/src/index.js').McpClient} McpClient */
    const { client } = /** @type {{ client: McpClient }} */ (/** @type {unknown} */ (provider));
    const { contents } = await client.readResource(uri);
    return contents[0];
  }, uri);
}

/**
 * The address of the chosen resource.
 * @param {Page} page
 */
export async function chosenUri(page) {
  return await page.locator('preview-pane').evaluate((pane) => {
    const { opened } = /** @type {{ opened: { uri: string } }} */ (/** @type {unknown} */ (pane));
    return opened.uri;
  });
}

/**
 * Holds back the timers of a page, and with them the saving of what is typed; returns what lets
 * them run.
 * @param {Page} page
 */
export async function holdTimers(page) {
  const release = await page.evaluateHandle(() => {
    const { setTimeout, clearTimeout } = window;
    /** @type {Map<number, Parameters<typeof setTimeout>>} */
    const held = new Map();
    // Below zero, where no real timer is.
    const hold = (/** @type {Parameters<typeof setTimeout>} */ ...timer) => {
      const id = -1 - held.size;
      held.set(id, timer);
      return id;
    };
    window.setTimeout = /** @type {typeof setTimeout} */ (/** @type {unknown} */ (hold));
    window.clearTimeout = (id) => {
      if (Number(id) < 0) held.set(Number(id), [() => undefined]);
      else clearTimeout(id);
    };
    return () => {
      window.setTimeout = setTimeout;
      for (const timer of held.values()) setTimeout(...timer);
    };
  });
  return () => release.evaluate((run) => run());
}

/**
 * Scrolls to the end of the question of the page, which may be longer than a small window, until it can be
 * agreed to: when the window gets another size, the end moves.
 * @param {Page} page
 */
export async function readQuestion(page) {
  const text = await page.locator('mcp-consent [part=message]').elementHandle();
  await page.waitForFunction((box) => {
    if (!box) throw new Error('There is no question.');
    box.scrollTo(0, box.scrollHeight);
    const root = /** @type {ShadowRoot} */ (box.getRootNode());
    return root.querySelector('button.once:not([aria-disabled=true])') !== null;
  }, text);
}
