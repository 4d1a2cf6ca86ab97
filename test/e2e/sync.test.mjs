// Two devices, each with the demo in a browser of its own, that meet at a server of CouchDB's protocol.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { couchServer } from '../support/sync/sync-servers.mjs';
import { checkAccessible } from './axe.mjs';
import { Browser, demoUrl, testInPrivateWindow } from './browser.mjs';
import { button, dialog, openDialog } from './data-page.mjs';
import {
  openRow,
  row,
  seedTitles,
  textField,
  titleField,
  view,
  waitForTitles,
  waitForView,
  writeNote,
} from './demo-page.mjs';

/** @typedef {import('playwright-core').Page} Page */

const PASSPHRASE = 'correct horse battery';

/** @type {Awaited<ReturnType<typeof couchServer>>} */
let server;
before(async () => {
  server = await couchServer();
  await server.start();
});
after(() => server.remove());

const newDatabase = () => `http://127.0.0.1:${server.port}/notes-${crypto.randomUUID()}`;

/** @param {Page} page */
const devices = (page) => dialog(page).locator('mcp-sync');

/** @param {Page} page */
const waitUntilSame = (page) =>
  devices(page).getByText('Everything is the same on all devices').waitFor();

/**
 * @param {Page} page with its dialog open
 * @param {string} address
 * @param {string} [password]
 */
async function useServer(page, address, password = 'secret') {
  await dialog(page).getByLabel('Address').fill(address);
  await dialog(page).getByLabel('User').fill('user');
  await dialog(page).getByLabel('Password', { exact: true }).fill(password);
  await button(page, 'Use this server').click();
}

/**
 * @param {Page} page at a server
 * @param {string} name of the device
 */
async function join(page, name) {
  await devices(page).getByLabel('Passphrase or code', { exact: true }).fill(PASSPHRASE);
  await devices(page).getByLabel('Name of this device').fill(name);
  await devices(page).getByRole('button', { name: 'Join' }).click();
}

/**
 * The server of the user is not the page's own; what it does not have yet, it answers with 404.
 * @param {Browser} browser
 */
function allowServer(browser) {
  const { origin } = new URL(newDatabase());
  browser.requests = browser.requests.filter((url) => new URL(url).origin !== origin);
  browser.problems = browser.problems.filter(
    (problem) => !problem.includes(origin) && !/status of 4\d\d/.test(problem),
  );
}

testInPrivateWindow('two devices join, and have the same notes and files', async (browser) => {
  const address = newDatabase();
  const phone = await browser.openTab();
  await waitForTitles(phone, seedTitles);
  await writeNote(phone, { title: 'Plans', text: 'from the phone' });
  await openDialog(phone);
  await useServer(phone, address);
  await join(phone, 'Phone');
  await devices(phone)
    .getByRole('heading', { name: /recovery code/i })
    .waitFor();
  await checkAccessible(phone, 'a recovery code');
  await devices(phone).locator('button.close').click();
  await waitUntilSame(phone);
  await checkAccessible(phone, 'one device');

  const other = new Browser(undefined, demoUrl);
  await other.start();
  try {
    const laptop = await other.openTab();
    await waitForTitles(laptop, seedTitles);
    await openDialog(laptop);
    await useServer(laptop, address);
    await join(laptop, 'Laptop');
    await waitUntilSame(laptop);
    await devices(laptop).getByText('Phone').waitFor();
    await devices(phone).getByText('Laptop').waitFor();
    await laptop.keyboard.press('Escape');
    // The samples are there once.
    await waitForTitles(laptop, ['Plans', ...seedTitles, 'Sync']);
    await openRow(laptop, 'Plans');
    await waitForView(laptop, 'from the phone');

    // Each shows what the other writes, at once, and says that it was the other.
    await phone.keyboard.press('Escape');
    await textField(phone).fill('changed on the phone');
    await waitForView(laptop, 'changed on the phone');
    await view(laptop).getByText('another device').first().waitFor();
    await writeNote(laptop, { title: 'Groceries', text: 'from the laptop' });
    await row(phone, 'Groceries').waitFor();

    // It goes on at the next visit.
    await laptop.reload();
    await titleField(phone).fill('Great plans');
    await row(laptop, 'Great plans').waitFor();
    await openDialog(laptop);
    await waitUntilSame(laptop);
    await devices(laptop).getByRole('button', { name: 'Leave' }).click();
    await devices(laptop).getByRole('button', { name: 'Leave the devices' }).click();
    await devices(laptop).getByText('This device does not sync').waitFor();
    allowServer(other);
    assert.deepEqual(other.problems, []);
  } finally {
    await other.close();
  }
  allowServer(browser);
});

testInPrivateWindow(
  'a wrong address, a wrong password and a wrong passphrase are said',
  async (browser) => {
    const address = newDatabase();
    const page = await browser.openTab();
    await openDialog(page);
    await useServer(page, 'ftp://example.com/notes');
    await dialog(page).getByLabel('Address').and(page.locator(':invalid')).waitFor();
    await useServer(page, address, 'another');
    await join(page, 'Phone');
    await devices(page).getByRole('alert').waitFor();
    await button(page, 'Use another server …').click();
    await useServer(page, address);
    await join(page, 'Phone');
    await devices(page)
      .getByRole('heading', { name: /recovery code/i })
      .waitFor();
    allowServer(browser);
  },
);
