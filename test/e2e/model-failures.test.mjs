// What may go wrong with a real model, and what its user reads then.
import assert from 'node:assert/strict';
import { chat, letIn } from './assistant-page.mjs';
import { ask, chooseModel, fieldsFor, testWithModel } from './model-page.mjs';

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
        const failure = chat(page)
          .locator('.assistant', { hasText: said ?? '' })
          .locator('+ .failure');
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
