// What the demo looks like, on a telephone and on a desk, in light and in dark.
import assert from 'node:assert/strict';
import { checkAccessible } from './axe.mjs';
import { unreadableTexts } from './forced-colours.mjs';
import { demoUrl, testInBrowser, testInPrivateWindow } from './browser.mjs';
import {
  dragFiles,
  dropFiles,
  editNote,
  openRow,
  readQuestion,
  row,
  showWire,
  view,
  waitForFocusOn,
  waitForView,
  wireLine,
  writeNote,
} from './demo-page.mjs';

/** @typedef {import('playwright-core').Page} Page */

const TELEPHONE = { width: 360, height: 800 };
const DESK = { width: 1440, height: 900 };
/** What a user sets who wants text twice as large as usual. */
const LARGE_TEXT = { webkit: { webprefs: { default_font_size: 32 } } };
const PANES = /** @type {const} */ (['Resources', 'Preview', 'Behind the page']);

/**
 * @param {Page} page
 * @param {string} name
 */
const pane = (page, name) => page.getByRole('region', { name, exact: true });

/**
 * @param {Page} page
 * @param {string} name
 */
const bottomTab = (page, name) =>
  page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name });

/** @param {Page} page */
async function visiblePanes(page) {
  const visible = await Promise.all(PANES.map((name) => pane(page, name).isVisible()));
  return PANES.filter((_, index) => visible[index]);
}

/**
 * What sticks out of the window or of its pane sideways, or has to be scrolled sideways, described
 * for people.
 * @param {Page} page
 */
async function overflows(page) {
  return await page.evaluate(() => {
    /** @type {string[]} */
    const found = [];
    const root = document.documentElement;
    const width = root.clientWidth;
    if (root.scrollWidth > width) found.push(`The page scrolls: ${root.scrollWidth} in ${width}`);
    /** @param {Element} element @param {boolean} clipped by something around it */
    const look = (element, clipped) => {
      const style = getComputedStyle(element);
      const hasBox = style.display !== 'contents';
      if (hasBox && !element.checkVisibility()) return;
      // What only screen readers are to find is clipped away, wherever it lies.
      if (style.clipPath !== 'none') return;
      const name = `<${element.localName} class="${element.getAttribute('class') ?? ''}">`;
      const { left, right } = element.getBoundingClientRect();
      if (!clipped && (left < -0.5 || right > width + 0.5)) {
        found.push(`${name} from ${left} to ${right} in a window of ${width}`);
      }
      const overflow = style.overflowX;
      const holds = ['auto', 'scroll'].includes(overflow) || element.localName === 'section';
      if (holds && hasBox && element.scrollWidth > element.clientWidth) {
        found.push(`${name} holds ${element.scrollWidth} in ${element.clientWidth}`);
      }
      const children = [...(element.shadowRoot?.children ?? []), ...element.children];
      for (const child of children) look(child, clipped || overflow !== 'visible');
    };
    look(document.documentElement, false);
    return found;
  });
}

/**
 * @param {Page} page
 * @param {string} state what the page shows, for the message
 */
async function checkNoOverflow(page, state) {
  assert.deepEqual(await overflows(page), [], `Something is too wide: ${state}.`);
}

/**
 * Whether the middle of something, its beginning and its end can be seen: not cut off, nor behind something.
 * @param {import('playwright-core').Locator} locator
 */
const isInSight = async (locator) =>
  await locator.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return [top + 1, (top + bottom) / 2, bottom - 1].every((y) => {
      let hit = document.elementFromPoint((left + right) / 2, y);
      while (hit?.shadowRoot) {
        const inner = hit.shadowRoot.elementFromPoint((left + right) / 2, y);
        if (!inner || inner === hit) break;
        hit = inner;
      }
      return hit !== null && element.contains(hit);
    });
  });

/**
 * With an assistant, what was said and the field to ask are in sight in one.
 * @param {Page} page
 */
async function checkChat(page) {
  const frame = page.locator('clients-pane iframe');
  assert.ok(await isInSight(frame), 'the whole frame of the chat');
  const chat = page.frameLocator('clients-pane iframe');
  const { height = 0 } = (await chat.locator('ol').boundingBox()) ?? {};
  assert.ok(height > 100, `The talk is ${height} px high.`);
  assert.ok(await isInSight(chat.getByRole('textbox')), 'the field of the chat');
}

/** @param {Page} page the boxes of what the user aims at, besides the rows */
const placesOf = (page) =>
  Promise.all(['main.panes', '.tabs'].map((one) => page.locator(one).boundingBox()));

testInPrivateWindow(
  'neither a notice nor a selection moves a row or a button, or lies over the list',
  async (browser) => {
    const page = await browser.openTab();
    await page.setViewportSize({ width: 1_024, height: 700 });
    const aims = [
      row(page, 'Shopping list'),
      page.getByRole('button', { name: 'Tools', exact: true }),
      page.getByRole('button', { name: 'Choose files' }),
    ];
    const places = () => Promise.all(aims.map((one) => one.boundingBox()));
    await openRow(page, 'Welcome');
    const before = await places();
    await openRow(page, 'Shopping list', { modifiers: ['Shift'] });
    await page.getByText('2 selected').waitFor();
    assert.deepEqual(await places(), before, 'Two are selected.');
    await page.getByRole('button', { name: 'Clear', exact: true }).click();

    await dropFiles(page, [{ name: 'a.txt', text: 'a' }]);
    const saved = page.locator('.notice').getByText('Files saved: 1');
    await saved.waitFor();
    assert.equal(await page.locator('mcp-file-drop [part=batch]').count(), 0);
    assert.deepEqual(await places(), before, 'A file was saved.');
    for (const aim of aims) assert.ok(await isInSight(aim));
    await saved.waitFor({ state: 'detached' });

    await dropFiles(page, [{ name: `${'a'.repeat(2_000)}.txt`, text: 'a' }]);
    await page.getByText('The path has').waitFor();
    assert.deepEqual(await places(), before, 'A file was not saved.');
  },
);

testInPrivateWindow(
  'on a telephone the three panes are reached by the tabs below, and nothing is too wide',
  async (browser) => {
    const page = await browser.openBlankTab();
    await page.setViewportSize(TELEPHONE);
    await page.goto(demoUrl.href);
    await row(page, 'Welcome').waitFor();
    // A pane is drawn when it is shown for the first time.
    const drawn = page.locator('list-pane button, preview-pane button, side-pane button');
    const panes = await drawn.evaluateAll((buttons) =>
      buttons.map((button) => /** @type {ShadowRoot} */ (button.getRootNode()).host.localName),
    );
    assert.deepEqual([...new Set(panes)], ['list-pane']);
    assert.deepEqual(await visiblePanes(page), ['Resources']);
    const long = 'a-name-without-a-single-space-that-is-far-wider-than-the-screen-of-a-telephone';
    const word = 'widest'.repeat(40);
    const wide = `# ${word}\n\n${word}\n\n| ${word} | b |\n|-|-|\n| c | d |\n\n    ${word}\n`;
    await dropFiles(page, [
      { name: `${long}.txt`, text: long.repeat(20) },
      { name: 'wide.md', text: wide, type: 'text/markdown' },
      { name: `${long.repeat(9)}.txt`, text: 'l' },
    ]);
    await row(page, `${long}.txt`).waitFor();
    await page.getByText('The path has').waitFor();
    assert.match(page.url(), new RegExp(`#file:///${long}`), 'What was added is open.');
    await checkNoOverflow(page, 'list and notices');
    await checkAccessible(page, 'list and notices on a telephone');
    await page.getByRole('button', { name: 'Dismiss' }).last().click();

    await openRow(page, `${long}.txt`);
    await waitForView(page, long);
    assert.deepEqual(await visiblePanes(page), ['Preview']);
    await checkNoOverflow(page, 'preview of a text');
    const before = await placesOf(page);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await checkNoOverflow(page, 'offer to undo');
    assert.deepEqual(await placesOf(page), before, 'It moves nothing.');
    assert.ok(await isInSight(bottomTab(page, 'List')), 'It covers no tab.');
    await page.getByRole('button', { name: 'Undo' }).click();
    // Where it is again, all rows below it are pushed down.
    await page.getByText('Brought back').waitFor();
    await row(page, `${long}.txt`).waitFor();
    await openRow(page, 'wide.md');
    await view(page).getByRole('table').waitFor();
    const widths = await view(page).evaluate((host) => [host.scrollWidth, host.clientWidth]);
    assert.deepEqual(widths, [TELEPHONE.width, TELEPHONE.width]);

    await bottomTab(page, 'Clients').click();
    assert.deepEqual(await visiblePanes(page), ['Behind the page']);
    await checkNoOverflow(page, 'clients');
    await checkAccessible(page, 'clients on a telephone');
    await showWire(page);
    await wireLine(page, 'resources/read').last().click();
    await page.locator('mcp-wire pre').first().waitFor();
    await checkNoOverflow(page, 'wire');

    await bottomTab(page, 'List').click();
    assert.deepEqual(await visiblePanes(page), ['Resources']);
    await writeNote(page, { title: long, text: wide });
    await checkNoOverflow(page, 'editor');
    await checkAccessible(page, 'editor on a telephone');
    await page.getByRole('button', { name: 'Read', exact: true }).click();
    await view(page).getByRole('heading', { name: long }).first().waitFor();
    await bottomTab(page, 'Preview').click();
    assert.deepEqual(await visiblePanes(page), ['Preview']);
  },
);

testInPrivateWindow(
  'the introduction is all in sight in every window, also from right to left and with forced colours',
  async (browser) => {
    const page = await browser.openBlankTab();
    await page.goto(demoUrl.href);
    const introduction = pane(page, 'Introduction');
    const parts = [introduction.getByRole('heading'), introduction.getByRole('link').last()];
    for (const dir of ['ltr', 'rtl']) {
      await page.evaluate((dir) => (document.documentElement.dir = dir), dir);
      for (const [width, height] of /** @type {const} */ ([
        [DESK.width, DESK.height],
        [1_024, 700],
        [768, 1_024],
        [TELEPHONE.width, 740],
      ])) {
        await page.setViewportSize({ width, height });
        assert.equal(await pane(page, 'Resources').isVisible(), width > TELEPHONE.width);
        for (const part of parts) assert.ok(await isInSight(part), `${dir} ${width} × ${height}`);
        await checkNoOverflow(page, `introduction, ${dir} ${width} × ${height}`);
      }
    }
    await page.emulateMedia({ forcedColors: 'active' });
    assert.deepEqual(await unreadableTexts(page), []);
    await page.emulateMedia({ forcedColors: 'none', colorScheme: 'dark' });
    await checkAccessible(page, 'introduction in the dark on a telephone');

    await bottomTab(page, 'List').click();
    assert.deepEqual(await visiblePanes(page), ['Resources']);
    await bottomTab(page, 'Preview').click();
    await introduction.waitFor();
    await bottomTab(page, 'Clients').click();
    await bottomTab(page, 'Preview').click();
    await waitForView(page, 'This note lives in');
    assert.equal(await introduction.count(), 0);
  },
  { isFirstVisit: true },
);

testInPrivateWindow(
  'on a desk the three panes stand side by side, at 400 % there are rows, and nothing is too wide between',
  async (browser) => {
    const page = await browser.openTab();
    await page.setViewportSize(DESK);
    assert.deepEqual(await visiblePanes(page), [...PANES]);
    const boxes = await Promise.all(PANES.map((name) => pane(page, name).boundingBox()));
    const edges = boxes.flatMap((box) => (box ? [box.x, box.x + box.width].map(Math.round) : []));
    assert.deepEqual(
      edges,
      edges.toSorted((a, b) => a - b),
      'The panes overlap.',
    );
    assert.equal(edges.at(0), 0);
    assert.equal(edges.at(-1), DESK.width);
    assert.ok(boxes.every((box) => box && box.height > DESK.height / 2));
    assert.equal(await page.getByRole('navigation', { name: 'Panes' }).isVisible(), false);
    await dragFiles(page, [{ name: 'a', text: '' }], ['dragenter']);
    await page.getByText('Drop to add').waitFor();
    await checkNoOverflow(page, 'drop veil');

    const long = `${'long-'.repeat(30)}.txt`;
    await dropFiles(page, [{ name: long, text: 'long' }]);
    await editNote(page, 'Welcome');
    await checkAccessible(page, 'editor');
    for (const width of [600, 861, 960, 1100, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await checkNoOverflow(page, `editor, ${width} pixels`);
    }
    await openRow(page, long);
    await waitForView(page, 'long');
    const top = page.getByRole('banner');
    for (const width of [360, 600, 861, 900, 976, 977, 1100, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await checkNoOverflow(page, `long name, ${width} pixels`);
      const { height = Infinity } = (await top.boundingBox()) ?? {};
      assert.ok(height < 60, `the top is one line, ${width} pixels`);
    }

    // As at 200 % zoom.
    await page.setViewportSize({ width: 720, height: 450 });
    await page.goto('about:blank');
    await page.goto(demoUrl.href);
    await row(page, 'Shopping list').waitFor();
    for (const title of ['Welcome', 'Shopping list'])
      assert.ok(await isInSight(row(page, title)), `${title} at 200 %`);
    const choose = page.getByRole('button', { name: 'Choose files' });
    await choose.evaluate((button) => button.scrollIntoView({ block: 'center' }));
    assert.ok(await isInSight(choose));

    // As at 400 % zoom.
    await page.setViewportSize({ width: 320, height: 256 });
    await page.goto('about:blank');
    await page.goto(demoUrl.href);
    await row(page, 'Shopping list').scrollIntoViewIfNeeded();
    const box = await row(page, 'Shopping list').boundingBox();
    assert.ok(box && box.y > 0 && box.y + box.height < 256, JSON.stringify(box));
    await checkNoOverflow(page, 'list at 400 %');
    await openRow(page, 'Shopping list');
    await waitForView(page, 'oat milk');
  },
);

/**
 * How light the page is behind everything, from 0 (black) to 255.
 * @param {Page} page
 */
const lightness = (page) =>
  page.locator('demo-app').evaluate((element) => {
    const context = new OffscreenCanvas(1, 1).getContext('2d');
    if (!context) throw new Error('There is no canvas.');
    context.fillStyle = getComputedStyle(element).backgroundColor;
    context.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
    return (red + green + blue) / 3;
  });

/** @param {Page} page */
const isDark = async (page) => (await lightness(page)) < 64;

/**
 * Goes through the three panes, with an assistant that was let in, on a desk and on a telephone.
 * @param {Page} page
 * @param {string} how the page is shown
 */
async function checkPanes(page, how) {
  const check = async (/** @type {string} */ state) => {
    for (const size of [TELEPHONE, DESK]) {
      await page.setViewportSize(size);
      await checkNoOverflow(page, `${how}, ${size.width} px: ${state}`);
    }
  };
  await row(page, 'Shopping list').waitFor();
  await check('start');
  await page.getByRole('button', { name: 'Your data' }).click();
  await check('data');
  await page.keyboard.press('Escape');
  await openRow(page, 'Shopping list');
  await waitForView(page, 'oat milk');
  await check('view');
  await page.setViewportSize(TELEPHONE);
  await bottomTab(page, 'Clients').click();
  const card = page.getByRole('region', { name: 'Assistant' });
  await card.getByRole('button', { name: 'Let an assistant in' }).click();
  await readQuestion(page);
  await check('consent');
  await page.setViewportSize(TELEPHONE);
  await readQuestion(page);
  await page.getByRole('button', { name: 'Let it in' }).click();
  await page.frameLocator('clients-pane iframe').getByText('It can see 3').waitFor();
  await check('clients');
  if (how !== '200 %')
    for (const size of [{ width: 360, height: 740 }, { width: 1024, height: 700 }, DESK]) {
      await page.setViewportSize(size);
      await checkChat(page);
    }
  for (const side of ['Activity', 'Wire']) {
    await page.getByRole('tab', { name: side }).click();
    await check(side);
  }
}

testInPrivateWindow('from right to left nothing is too wide', async (browser) => {
  const page = await browser.openBlankTab();
  await page.addInitScript(() => {
    addEventListener('DOMContentLoaded', () => (document.documentElement.dir = 'rtl'));
  });
  await page.setViewportSize(DESK);
  await page.goto(demoUrl.href);
  await row(page, 'Shopping list').waitFor();
  const { x, width } = (await pane(page, 'Resources').boundingBox()) ?? { x: 0, width: 0 };
  assert.equal(Math.round(x + width), DESK.width, 'the list is at the right');
  await checkPanes(page, 'right to left');
});

testInBrowser(
  'with text of 200 % nothing is too wide',
  async (browser) => {
    const page = await browser.openBlankTab();
    await page.setViewportSize(DESK);
    await page.goto(demoUrl.href);
    for (const title of ['Welcome', 'Shopping list'])
      assert.ok(await isInSight(row(page, title)), `${title} in large text`);
    await checkPanes(page, '200 %');
  },
  { preferences: LARGE_TEXT },
);

testInPrivateWindow('of more messages than fit, the last one is in sight', async (browser) => {
  const page = await browser.openTab();
  await page.setViewportSize(TELEPHONE);
  const notices = page.locator('notice-stack');
  await notices.evaluate((element) => {
    const stack = /** @type {HTMLElement & Record<'stand' | 'show', (text: string) => void>} */ (
      element
    );
    for (let count = 1; count <= 8; count += 1) stack.stand(`Message ${count} `.repeat(8));
    stack.show('Deleted');
  });
  await notices.getByText('Deleted').waitFor();
  assert.ok(await isInSight(notices.getByText('Deleted')));
  const scrollable = await notices.evaluate(
    (element) => element.scrollHeight / element.clientHeight,
  );
  assert.ok(scrollable > 1.2, `They are ${scrollable} times as high as their place.`);
  // The others can be scrolled to.
  await notices.getByText('Message 1 ').scrollIntoViewIfNeeded();
  assert.ok(await isInSight(notices.getByText('Message 1 ')));
});

testInPrivateWindow(
  'the theme is the system’s until one is chosen, which is remembered',
  async (browser) => {
    const page = await browser.openTab();
    const button = page.getByRole('button', { name: 'Light or dark' });
    await page.emulateMedia({ colorScheme: 'dark' });
    assert.equal(await isDark(page), true);
    await page.emulateMedia({ colorScheme: 'light' });
    assert.equal(await isDark(page), false);
    await button.click();
    assert.equal(await isDark(page), true);
    await page.reload();
    await button.waitFor();
    assert.equal(await isDark(page), true);
    await button.click();
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.reload();
    await button.waitFor();
    assert.equal(await isDark(page), false);
  },
);

testInPrivateWindow(
  'in forced colours all texts can be read, also under the pointer',
  async (browser) => {
    const page = await browser.openTab();
    await page.emulateMedia({ forcedColors: 'active' });
    await openRow(page, 'Welcome');
    await waitForView(page, 'IndexedDB');
    for (const name of ['Clients', 'Formatted']) {
      await page.getByRole('tab', { name }).hover();
      assert.deepEqual(await unreadableTexts(page), [], `The pointer is over ${name}.`);
    }
    await page.getByRole('searchbox').fill('oat');
    await row(page, 'Shopping list').locator('mark').first().waitFor();
    await openRow(page, 'Shopping list');
    await waitForView(page, 'oat milk');
    assert.deepEqual(await unreadableTexts(page), [], 'What was found is marked and open.');
    await page.getByRole('button', { name: 'Tools', exact: true }).press('Enter');
    // The next key of the keyboard is one of the pane.
    await page.locator('mcp-tool-form').getByRole('option').first().waitFor();
    await page.locator('preview-pane h2:focus', { hasText: 'Tools' }).waitFor();
    await page.keyboard.press('Tab');
    await waitForFocusOn(page, 'Choose a tool');
    await page.locator('mcp-tool-form').getByRole('option').first().hover();
    assert.deepEqual(await unreadableTexts(page), [], 'Tools are offered.');
    await page.keyboard.press('Escape');
    await openRow(page, 'Shopping list');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted').waitFor();
    assert.deepEqual(await unreadableTexts(page), [], 'A notice is shown.');
  },
);
