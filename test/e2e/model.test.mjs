// A real model in the demo, against an endpoint on this machine that speaks the wires of both kinds.
import assert from 'node:assert/strict';
import { checkAccessible } from './axe.mjs';
import { demoUrl } from './browser.mjs';
import { card, chat, consent, decide, letIn, sendAway } from './assistant-page.mjs';
import { openRow, view, waitForView } from './demo-page.mjs';
import { appendTo, ask, chooseModel, fieldsFor, KEY, LIST, testWithModel } from './model-page.mjs';

testWithModel(
  'a model answers in a stream of text, after the page has said where words go, and can be stopped',
  async (page, server) => {
    await card(page).getByText('no AI, no network').waitFor();
    await card(page).getByRole('button', { name: 'Use a real model' }).click();
    await page.getByRole('dialog', { name: 'Use a real model' }).waitFor();
    await checkAccessible(page, 'which model');
    await page.keyboard.press('Escape');
    const hostile =
      '<img src="x" onerror="parent.hacked = true"><script>alert(1)</script> [link](javascript:alert(1))';
    server.willAnswer({ says: ['Hello ', 'from the ', 'model.'] }, { says: [hostile] });
    await chooseModel(page, fieldsFor(server));
    await card(page).getByText(`What it reads is sent to ${server.host}`).waitFor();
    await card(page).getByRole('button', { name: 'Let an assistant in' }).click();
    await consent(page).getByText(`will be sent to ${server.host}`).waitFor();
    await chat(page).getByText('It sends nothing before you let it in.').waitFor();
    assert.equal(server.asked.length, 0);
    await decide(page, 'Let it in');
    await ask(page, 'Hello?');
    await chat(page).getByText('Hello from the model.').waitFor();
    await ask(page, 'Be nice');
    await chat(page).getByText(hostile).waitFor();
    assert.equal(await chat(page).locator('ol').locator('img, script, a').count(), 0);
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
    await checkAccessible(page, 'a model has answered');

    // Stop ends the stream, and a call that waits for the user.
    const stop = chat(page).getByRole('button', { name: 'Stop' });
    server.willAnswer({ says: ['One, two,'], end: 'hangs' });
    await ask(page, 'Count');
    await chat(page).getByText('One, two,').waitFor();
    await stop.click();
    await server.asked[2]?.gone;
    await chat(page).getByText('Stopped.').waitFor();
    await chat(page).getByText('One, two,').waitFor();
    server.willAnswer(LIST, appendTo('Shopping list', 'never'));
    await ask(page, 'Add it');
    await consent(page).getByText('never').waitFor();
    // The dialog is modal: the button is pressed as a script of the frame would.
    await stop.dispatchEvent('click');
    await consent(page).waitFor({ state: 'hidden' });
    await chat(page).getByText('Stopped.').last().waitFor();

    // One that goes on calling tools is ended, and so is one that goes on talking.
    server.willAnswer(...Array.from({ length: 8 }, () => LIST));
    await ask(page, 'List it again and again');
    await chat(page).getByText('It may call tools 8 times for one question').waitFor();
    assert.equal(server.asked.length, 13);
    const half = 'a'.repeat(50_000);
    server.willAnswer({ says: [half, half] });
    await ask(page, 'At the limit?');
    await chat(page)
      .locator('.assistant', { hasText: 'a'.repeat(1_000) })
      .waitFor();
    await chat(page).getByRole('button', { name: 'Ask' }).waitFor();
    const tooLong = chat(page).getByText('The answer was too long, and was cut off.');
    assert.equal(await tooLong.count(), 0);
    server.willAnswer({ says: [half, half, 'a'] });
    await ask(page, 'One past it?');
    await tooLong.waitFor();
    // An answer that is still being written ends, too.
    server.willAnswer({ says: [half, half, 'a'], end: 'hangs' });
    await ask(page, 'And one without an end?');
    await server.asked[15]?.gone;
    assert.equal(await tooLong.count(), 2);
  },
);

testWithModel('a model on either wire adds what is agreed to', async (page, server) => {
  await openRow(page, 'Shopping list');
  await waitForView(page, 'oat milk');
  for (const [wire, answer, words] of /** @type {const} */ ([
    ['openai', 'Don’t', '- [ ] figs, 3 of them'],
    ['anthropic', 'Add it', '- [ ] dates, 5 of them'],
  ])) {
    await chooseModel(page, fieldsFor(server, wire));
    await letIn(page);
    server.willAnswer(LIST, appendTo('Shopping list', words), { says: [`It was ${answer}.`] });
    await ask(page, 'Put it on the shopping list');
    await consent(page).getByText(words).waitFor();
    await decide(page, answer);
    await chat(page).getByText(`It was ${answer}.`).waitFor();
    await chat(page).getByText('tools/call append_to_note').last().click();
    await chat(page).getByText(words).last().waitFor();
    if (wire === 'openai') await sendAway(page);
  }
  await waitForView(page, 'dates, 5 of them');
  assert.equal(await view(page).getByText('figs').count(), 0);
  assert.equal(server.asked.length, 6);
  assert.match(JSON.stringify(server.asked[2]?.body.messages.at(-1)), /declin|refus|not|No/i);
  const { headers, url } = server.asked[3] ?? assert.fail();
  assert.equal(url, '/v1/messages');
  assert.equal(headers['x-api-key'], KEY);
  assert.equal(headers['anthropic-dangerous-direct-browser-access'], 'true');
  await page.getByRole('tab', { name: 'Activity' }).click();
  const activity = page.locator('mcp-activity');
  await activity.getByRole('heading', { name: 'Model “test-1”' }).first().waitFor();
});

testWithModel(
  'after its access has ended nothing is read, and nothing is sent again',
  async (page, server) => {
    await chooseModel(page, fieldsFor(server));
    await letIn(page);
    server.willAnswer({ says: ['I know it.'] }, { says: ['And on'], end: 'hangs' });
    await ask(page, 'What is my secret?');
    await chat(page).getByText('I know it.').waitFor();
    await ask(page, 'Go on');
    await chat(page).getByText('And on').waitFor();
    await card(page).getByRole('button', { name: 'End access' }).click();
    await chat(page).getByText('It can see nothing, and gets no more questions.').waitFor();
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
  },
);

testWithModel(
  'a key comes to the frame only after a yes, and stays in memory, unless it is to be remembered',
  async (page, server) => {
    const stored = () => page.evaluate(() => JSON.stringify({ ...localStorage }));
    const fields = fieldsFor(server);
    await chooseModel(page, fields);
    await card(page).getByRole('button', { name: 'Let an assistant in' }).click();
    // The document in the frame has asked for it before it connects.
    await page
      .locator('mcp-consent button:not([aria-disabled=true])', { hasText: 'Let' })
      .waitFor();
    // And once more, now by this test.
    const frame = chat(page).locator('body');
    await frame.evaluate((_, parentOrigin) => {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', ({ data }) => Object.assign(window, { settings: data }));
      port1.start();
      window.parent.postMessage('inpage-mcp-demo model-settings', parentOrigin, [port2]);
    }, demoUrl.origin);
    const key = () => frame.evaluate(() => /** @type {any} */ (window).settings?.key);
    assert.equal(await key(), undefined);
    await decide(page, 'Let it in');
    await card(page).getByRole('button', { name: 'End access' }).waitFor();
    // The answer comes in a message of its own.
    await frame.waitForFunction(() => 'settings' in window);
    assert.equal(await key(), KEY);
    assert.doesNotMatch(await stored(), /secret-of-the-test/);
    for (const one of page.frames()) assert.doesNotMatch(one.url(), /secret-of-the-test/);
    await page.reload();
    await card(page).getByText('no AI, no network').waitFor();

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
  },
);

testWithModel(
  'what goes wrong is said in plain words, what came of a stream stays, and the next question works',
  async (page, server) => {
    await chooseModel(page, fieldsFor(server));
    await letIn(page);
    /** @type {[import('./model-server.mjs').Answer, string][]} */
    const failures = [
      [{ status: 401, message: 'bad key' }, `${server.host} does not accept the key (401).`],
      [{ status: 404, message: 'none' }, `${server.host} has no model “test-1”`],
      [{ status: 400, message: '<b>odd</b>' }, 'has refused this (400): <b>odd</b>'],
      [{ isClosed: true }, 'Ollama: start it with OLLAMA_ORIGINS=*'],
    ];
    for (const [answer, words] of failures) {
      server.willAnswer(answer);
      await ask(page, 'Well?');
      await chat(page).locator('.failure').getByText(words).last().waitFor();
    }
    // A request that comes too early is made again.
    server.willAnswer({ status: 429, retryAfter: '0' }, { says: ['All is well.'] });
    await ask(page, 'And now?');
    await chat(page).getByText('All is well.').waitFor();
    // A question without any answer is not sent again.
    assert.equal(server.asked.at(-1)?.body.messages.length, 2);

    await sendAway(page);
    await chooseModel(page, fieldsFor(server, 'anthropic'));
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
      const failure = chat(page)
        .locator('.assistant', { hasText: said ?? '' })
        .locator('+ .failure');
      await failure.getByText(words ?? '').waitFor();
    }
    await ask(page, 'Again');
    await chat(page).getByText('Whole.').waitFor();
    const messages = JSON.stringify(server.asked.at(-1)?.body.messages);
    for (const said of ['One half', 'A second half', 'A third']) assert.ok(messages.includes(said));
  },
  /^(?:[45]\d\d: |console: (?:Failed to load resource|Access to fetch)|failed: http)/,
);
