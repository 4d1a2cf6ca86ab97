// A real model in the demo, against an endpoint on this machine that speaks the wires of both kinds.
import assert from 'node:assert/strict';
import { axe, checkAccessible } from './axe.mjs';
import { demoUrl } from './browser.mjs';
import { card, chat, consent, decide, letIn } from './assistant-page.mjs';
import { row, showWire, view, waitForView, wireLine } from './demo-page.mjs';
import { appendTo, ask, chooseModel, fieldsFor, KEY, LIST, testWithModel } from './model-page.mjs';

testWithModel(
  'a model answers in a stream, after the page has said where words go',
  async (page, server) => {
    await card(page).getByText('no AI, no network').waitFor();
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
  await card(page).getByRole('button', { name: 'End access' }).click();
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

testWithModel('the model of the browser gets what is allowed, and calls nothing', async (page) => {
  // A mock of the Prompt API, which the browser of the tests does not have.
  await page.addInitScript(() => {
    const promptStreaming = (/** @type {string} */ words) =>
      new ReadableStream({
        start(controller) {
          controller.enqueue('It was asked: ');
          controller.enqueue(words);
          controller.close();
        },
      });
    const LanguageModel = {
      availability: async () => 'available',
      create: async () => ({ promptStreaming, destroy: () => undefined }),
    };
    Object.assign(globalThis, { LanguageModel });
  });
  await page.reload();
  await row(page, 'Welcome').waitFor();
  await chooseModel(page, { wire: 'built-in' });
  await card(page).getByText('the model inside this browser').waitFor();
  await letIn(page);
  await ask(page, 'What do I buy?');
  await chat(page).getByText('It was given 3 of 3').waitFor();
  const answer = chat(page).locator('.assistant');
  await answer.getByText('It was asked: What do I buy?').waitFor();
  assert.match((await answer.textContent()) ?? '', /oat milk/);
});

testWithModel('a model that goes on calling tools is ended', async (page, server) => {
  await chooseModel(page, fieldsFor(server));
  await letIn(page);
  server.willAnswer(...Array.from({ length: 8 }, () => LIST));
  await ask(page, 'List for ever');
  await chat(page).getByText('It may call tools 8 times for one question').waitFor();
  assert.equal(server.asked.length, 8);
});

testWithModel(
  'axe finds nothing wrong with the dialog and the chat of a model',
  async (page, server) => {
    await page.evaluate(axe);
    await card(page).getByRole('button', { name: 'Use a real model' }).click();
    await page.getByRole('dialog', { name: 'Use a real model' }).waitFor();
    await checkAccessible(page, 'which model');
    await page.keyboard.press('Escape');
    await chooseModel(page, fieldsFor(server));
    await letIn(page);
    server.willAnswer(LIST, { says: ['Three notes.'] });
    await ask(page, 'What is there?');
    await chat(page).getByText('Three notes.').waitFor();
    await checkAccessible(page, 'a model has answered');
  },
);

testWithModel(
  'the key comes to the frame only after the user has let it in',
  async (page, server) => {
    await chooseModel(page, fieldsFor(server));
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
    await frame.evaluate(async () => {
      while (!('settings' in window)) await new Promise(requestAnimationFrame);
    });
    assert.equal(await key(), KEY);
  },
);
