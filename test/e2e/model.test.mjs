// A real model in the demo, against an endpoint on this machine that speaks the wires of both kinds.
import assert from 'node:assert/strict';
import { card, ask, chat, chooseModel, consent, decide, letIn } from './assistant-page.mjs';
import { testInPrivateWindow } from './browser.mjs';
import { row, showWire, view, waitForView, wireLine } from './demo-page.mjs';
import { startModelServer } from './model-server.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./model-server.mjs').ModelServer} ModelServer */
/** @typedef {import('./browser.mjs').Browser} Browser */

const KEY = 'sk-secret-of-the-test';

/**
 * A test with an endpoint. Beside it no request leaves the page, and nothing goes wrong but what is expected.
 * @param {string} name
 * @param {(page: Page, server: ModelServer, browser: Browser) => Promise<void>} body
 * @param {RegExp} [expected] among the problems
 */
function testWithModel(name, body, expected = /^never$/) {
  testInPrivateWindow(name, async (browser) => {
    const server = await startModelServer();
    try {
      await body(await browser.openTab(), server, browser);
    } finally {
      await server.close();
    }
    assert.equal(browser.requests.filter((url) => url.includes(KEY)).length, 0);
    browser.requests = browser.requests.filter((url) => !url.startsWith(server.url));
    browser.problems = browser.problems.filter((problem) => !expected.test(problem));
  });
}

/** @param {ModelServer} server @param {'openai' | 'anthropic'} [wire] */
const fieldsFor = ({ url }, wire = 'openai') => ({
  wire,
  endpoint: url,
  model: 'test-1',
  key: KEY,
});

/** Asks for the note of the title that the tool before has listed. @param {string} title @param {string} text */
const appendTo = (title, text) => (/** @type {any} */ body) => {
  const listed = JSON.stringify(body.messages).replaceAll('\\', '');
  const [, id = ''] = new RegExp(`note:///(\\w{26})"[^}]*"title":"${title}"`).exec(listed) ?? [];
  return { calls: { name: 'append_to_note', args: { id, text } } };
};

const LIST = { calls: { name: 'list_resources', args: {} } };

testWithModel(
  'a model answers in a stream, after the page has said where words go',
  async (page, server) => {
    await card(page).getByText('without a model or a network').waitFor();
    server.willAnswer({ says: ['Hello ', 'from the ', 'model.'] }, { says: ['Again.'] });
    await chooseModel(page, fieldsFor(server));
    await card(page).getByText(`What it reads is sent to ${server.host}`).waitFor();
    await card(page).getByRole('button', { name: 'Let an assistant in' }).click();
    await consent(page).getByText(`will be sent to ${server.host}`).waitFor();
    await chat(page).getByText('It sends nothing before you let it in.').waitFor();
    assert.equal(server.asked.length, 0);
    await decide(page, 'Let it in');
    await ask(page, 'Hello?');
    await chat(page).getByText('Hello from the model.').waitFor();
    await chat(page).getByText('1,240 tokens in, 96 out').first().waitFor();
    await ask(page, 'And again?');
    await chat(page).getByText('This chat: 2,480 tokens in, 192 out').waitFor();
    const [first, second] = server.asked;
    assert.equal(first?.url, '/v1/chat/completions');
    assert.equal(first?.headers['authorization'], `Bearer ${KEY}`);
    assert.equal(first?.headers['origin'], 'null');
    assert.deepEqual(
      first?.body.tools.map((/** @type {any} */ tool) => tool.function.name).toSorted(),
      ['append_to_note', 'list_resources', 'read_resource', 'search_notes'],
    );
    const roles = second?.body.messages.map((/** @type {any} */ message) => message.role);
    assert.deepEqual(roles, ['system', 'user', 'assistant', 'user']);
  },
);

for (const wire of /** @type {const} */ (['openai', 'anthropic'])) {
  testWithModel(`a model on the wire of ${wire} adds what is agreed to`, async (page, server) => {
    await row(page, 'Shopping list').click();
    await waitForView(page, 'oat milk');
    await chooseModel(page, fieldsFor(server, wire));
    await letIn(page);
    for (const [answer, words] of [
      ['No', '- [ ] figs, 3 of them'],
      ['Yes', '- [ ] dates, 5 of them'],
    ]) {
      server.willAnswer(LIST, appendTo('Shopping list', words ?? ''), {
        says: [`It was ${answer}.`],
      });
      await ask(page, 'Put it on the shopping list');
      await consent(page)
        .getByText(words ?? '')
        .waitFor();
      await decide(page, answer ?? '');
      await chat(page).getByText(`It was ${answer}.`).waitFor();
    }
    await waitForView(page, 'dates, 5 of them');
    assert.equal(await view(page).getByText('figs').count(), 0);
    assert.equal(server.asked.length, 6);
    const refused = JSON.stringify(server.asked[2]?.body.messages.at(-1));
    assert.match(refused, /declin|refus|not|No/i);
    if (wire === 'anthropic') {
      const { headers, url } = server.asked[0] ?? assert.fail();
      assert.equal(url, '/v1/messages');
      assert.equal(headers['x-api-key'], KEY);
      assert.equal(headers['anthropic-dangerous-direct-browser-access'], 'true');
    }
    await chat(page).getByText('tools/call append_to_note').last().click();
    await chat(page).getByText('dates, 5 of them').last().waitFor();
    await page.getByRole('tab', { name: 'Activity' }).click();
    await page
      .locator('mcp-activity')
      .getByRole('heading', { name: 'Model “test-1”' })
      .first()
      .waitFor();
    await showWire(page);
    await wireLine(page, 'tools/call', 'append_to_note').first().waitFor();
  });
}
