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

testWithModel(
  'what goes wrong is said in plain words, and the next question works',
  async (page, server) => {
    await chooseModel(page, fieldsFor(server));
    await letIn(page);
    /** @type {[import('./model-server.mjs').Answer, string][]} */
    const failures = [
      [{ status: 401, message: 'bad key' }, `${server.host} does not accept the key (401).`],
      [{ status: 404, message: 'none' }, `${server.host} has no model “test-1”`],
      [{ status: 413, message: 'too big' }, 'This is too large for the model.'],
      [
        { status: 400, message: 'maximum context length is 10' },
        'This is too large for the model.',
      ],
      [{ status: 400, message: '<b>odd</b>' }, 'has refused this (400): <b>odd</b>'],
      [{ status: 500, message: 'oh' }, 'has failed (500): oh'],
      [{ status: 429, retryAfter: '300' }, 'takes no more requests for the moment (429)'],
      [{ isClosed: true }, 'Start it with OLLAMA_ORIGINS=*'],
    ];
    for (const [answer, words] of failures) {
      server.willAnswer(answer);
      await ask(page, 'Well?');
      await chat(page).locator('.failure').getByText(words).last().waitFor();
    }
    server.willAnswer({ says: ['All is well.'] });
    await ask(page, 'And now?');
    await chat(page).getByText('All is well.').waitFor();
    // A question without any answer is not sent again.
    assert.equal(server.asked.at(-1)?.body.messages.length, 2);
  },
  /^(?:[45]\d\d: |console: (?:Failed to load resource|Access to fetch)|failed: http)/,
);

for (const wire of /** @type {const} */ (['openai', 'anthropic'])) {
  testWithModel(
    `what came of a stream of ${wire} stays, and that it broke off is said`,
    async (page, server) => {
      await chooseModel(page, fieldsFor(server, wire));
      await letIn(page);
      server.willAnswer(
        { says: ['One half'], end: 'breaks' },
        { says: ['A second half'], end: 'stops' },
        { says: ['A third'], error: 'The model is overloaded.' },
        { says: ['Whole.'] },
      );
      for (const [said, words] of [
        ['One half', 'The answer broke off here'],
        ['A second half', 'The answer broke off here'],
        ['A third', 'The model is overloaded.'],
      ]) {
        await ask(page, `What is ${said}?`);
        const failure = chat(page).locator('.assistant', { hasText: said }).locator('+ .failure');
        await failure.getByText(words ?? '').waitFor();
      }
      await ask(page, 'Again');
      await chat(page).getByText('Whole.').waitFor();
      const messages = JSON.stringify(server.asked.at(-1)?.body.messages);
      for (const said of ['One half', 'A second half', 'A third'])
        assert.ok(messages.includes(said));
    },
    /^(?:console: Failed to load resource|failed: http)/,
  );
}

testWithModel(
  'a request that comes too early is made again, at most twice',
  async (page, server) => {
    await chooseModel(page, fieldsFor(server, 'anthropic'));
    await letIn(page);
    const early = { status: 429, retryAfter: '1' };
    server.willAnswer(early, early, { says: ['At last.'] });
    await ask(page, 'Now?');
    await chat(page).getByText('Trying again in 1 s').first().waitFor();
    await chat(page).getByText('At last.').waitFor();
    server.willAnswer(early, early, early);
    await ask(page, 'Again?');
    await chat(page).getByText('takes no more requests for the moment (429)').waitFor();
    assert.equal(server.asked.length, 6);
  },
  /^(?:429: |console: Failed to load resource)/,
);

testWithModel('Stop ends the stream, and a call that waits for the user', async (page, server) => {
  await chooseModel(page, fieldsFor(server));
  await letIn(page);
  const stop = chat(page).getByRole('button', { name: 'Stop' });
  server.willAnswer({ says: ['One, two,'], end: 'hangs' });
  await ask(page, 'Count');
  await chat(page).getByText('One, two,').waitFor();
  await stop.click();
  await server.asked[0]?.gone;
  await chat(page).getByText('Stopped.').waitFor();
  await chat(page).getByText('One, two,').waitFor();

  server.willAnswer(LIST, appendTo('Shopping list', 'never'));
  await ask(page, 'Add it');
  await consent(page).getByText('never').waitFor();
  // The dialog is modal: the button is pressed as a script of the frame would.
  await stop.dispatchEvent('click');
  await consent(page).waitFor({ state: 'hidden' });
  await chat(page).getByText('Stopped.').last().waitFor();
  server.willAnswer({ says: ['Yes.'] });
  await ask(page, 'Are you there?');
  await chat(page).getByText('Yes.', { exact: true }).waitFor();
});

testWithModel('after a revoke nothing is read, and nothing is sent again', async (page, server) => {
  await chooseModel(page, fieldsFor(server));
  await letIn(page);
  server.willAnswer({ says: ['I know it.'] }, { says: ['And on'], end: 'hangs' });
  await ask(page, 'What is my secret?');
  await chat(page).getByText('I know it.').waitFor();
  await ask(page, 'Go on');
  await chat(page).getByText('And on').waitFor();
  await card(page).getByRole('button', { name: 'Revoke' }).click();
  await chat(page).getByText('It can see nothing, and is asked nothing any more.').waitFor();
  await server.asked[1]?.gone;
  await chat(page).getByText('Stopped.').waitFor();
  assert.equal(await chat(page).getByLabel('Ask the model').isDisabled(), true);
  await card(page).getByRole('button', { name: 'Let it in again' }).click();
  await decide(page, 'Let it in');
  await chat(page).getByText('It can see 3').waitFor();
  server.willAnswer({ says: ['Who are you?'] });
  await ask(page, 'Hello again');
  await chat(page).getByText('Who are you?').waitFor();
  assert.doesNotMatch(JSON.stringify(server.asked[2]?.body), /secret|I know it/);
});

testWithModel('a key stays in memory, unless it is to be remembered', async (page, server) => {
  const stored = () => page.evaluate(() => JSON.stringify({ ...localStorage }));
  const fields = fieldsFor(server);
  await chooseModel(page, fields);
  await letIn(page);
  server.willAnswer({ says: ['Here.'] });
  await ask(page, 'Hello?');
  await chat(page).getByText('Here.').waitFor();
  assert.doesNotMatch(await stored(), /secret-of-the-test/);
  for (const frame of page.frames()) assert.doesNotMatch(frame.url(), /secret-of-the-test/);
  await page.reload();
  await card(page).getByText('without a model or a network').waitFor();

  await chooseModel(page, { ...fields, remember: true });
  assert.match(await stored(), /secret-of-the-test/);
  await page.reload();
  await card(page).getByRole('button', { name: 'Use a real model' }).click();
  const dialog = page.getByRole('dialog', { name: 'Use a real model' });
  assert.equal(await dialog.getByLabel('Key, if it needs one').inputValue(), KEY);
  await dialog.getByRole('button', { name: 'Forget the key' }).click();
  assert.doesNotMatch(await stored(), /secret-of-the-test/);
  await dialog.getByLabel('Address').fill('ftp://example');
  await dialog.getByRole('button', { name: 'Use this model' }).click();
  await dialog.getByRole('alert').getByText('The address begins with').waitFor();
});

testWithModel('what a model says is only text', async (page, server) => {
  await chooseModel(page, fieldsFor(server));
  await letIn(page);
  const hostile =
    '<img src="x" onerror="parent.hacked = true"><script>alert(1)</script> [link](javascript:alert(1))';
  server.willAnswer({ says: [hostile] });
  await ask(page, 'Be nice');
  await chat(page).getByText(hostile).waitFor();
  const lines = chat(page).locator('ol');
  assert.equal(await lines.locator('img, script, a').count(), 0);
});
