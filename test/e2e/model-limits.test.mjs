// How much a real model may do, say and receive for one question: at each limit, and one past it.
import assert from 'node:assert/strict';
import { card, chat, consent, decide, letIn } from './assistant-page.mjs';
import { ask, chooseModel, fieldsFor, LIST, testWithModel } from './model-page.mjs';

/** What the tools have answered, in the last request. @param {import('./model-server.mjs').ModelServer} server */
function toolAnswers({ asked }) {
  /** @type {{ role: string, content: string }[]} */
  const messages = asked.at(-1)?.body.messages ?? [];
  return messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
}

testWithModel('a model calls 24 tools for one question, and no more', async (page, server) => {
  await chooseModel(page, fieldsFor(server));
  await letIn(page);
  server.willAnswer({ ...LIST, times: 24 }, { says: ['All of them.'] });
  await ask(page, 'List it 24 times');
  await chat(page).getByText('All of them.').waitFor();
  const refusal = /No more tools may be called/;
  assert.equal(toolAnswers(server).length, 24);
  assert.equal(toolAnswers(server).filter((answer) => refusal.test(answer)).length, 0);

  server.willAnswer({ ...LIST, times: 20 }, { ...LIST, times: 5 }, { says: ['All but one.'] });
  await ask(page, 'List it 25 times');
  await chat(page).getByText('All but one.').waitFor();
  const answers = toolAnswers(server).slice(24);
  assert.equal(answers.length, 25);
  assert.equal(answers.filter((answer) => refusal.test(answer)).length, 1);
});

testWithModel('an answer has at most 100,000 characters', async (page, server) => {
  await chooseModel(page, fieldsFor(server));
  await letIn(page);
  const half = 'a'.repeat(50_000);
  const tooLong = chat(page).getByText('The answer was too long, and was cut off.');
  server.willAnswer({ says: [half, half] });
  await ask(page, 'At the limit?');
  await chat(page).getByText('1,240 tokens in').first().waitFor();
  assert.equal(await tooLong.count(), 0);
  server.willAnswer({ says: [half, half, 'a'] });
  await ask(page, 'One past it?');
  await tooLong.waitFor();
});

testWithModel(
  'a model gets at most 15,000 estimated tokens of what a tool answers',
  async (page, server) => {
    const maxBytes = 15_000 * 4;
    const create = (/** @type {number} */ length) =>
      page.evaluate(async (length) => {
        const { runtime } = /** @type {any} */ (document.querySelector('demo-app'));
        const { id } = await runtime.notes.create({ title: 'Long', text: 'b'.repeat(length) });
        return `note:///${id}`;
      }, length);
    /** What the model gets of a note of this length. @param {number} length */
    const read = async (length) => {
      const uri = await create(length);
      server.willAnswer(
        { calls: { name: 'read_resource', args: { uri } } },
        { says: [`It has ${length}.`] },
      );
      await ask(page, `Read the note of ${length}`);
      await chat(page).getByText(`It has ${length}.`, { exact: true }).waitFor();
      return toolAnswers(server).at(-1) ?? assert.fail();
    };
    await chooseModel(page, fieldsFor(server));
    await card(page).getByRole('button', { name: 'Let an assistant in' }).click();
    await consent(page).getByLabel('All notes and files').check();
    await decide(page, 'Let it in');
    // What the answer has besides the text of the note.
    const beside = (await read(50_000)).length - 50_000;
    assert.equal((await read(maxBytes - beside)).length, maxBytes);
    const [, kept = '', all] =
      /^(.*)\n\[Truncated here. The full text has about (\d+) tokens\.\]$/s.exec(
        await read(maxBytes - beside + 1),
      ) ?? [];
    assert.equal(kept.length, maxBytes);
    assert.equal(Number(all), 15_001);
  },
);

testWithModel(
  'the last twelve questions are sent again, and one has at most 4,000 characters',
  async (page, server) => {
    await chooseModel(page, fieldsFor(server));
    await letIn(page);
    const field = chat(page).getByLabel('Ask the model');
    await field.focus();
    await page.keyboard.insertText('c'.repeat(4_001));
    assert.equal((await field.inputValue()).length, 4_000);
    for (let question = 1; question <= 14; question += 1) {
      server.willAnswer({ says: [`Answer ${question}.`] });
      await ask(page, `Question ${question}?`);
      await chat(page).getByText(`Answer ${question}.`, { exact: true }).waitFor();
      // What was sent before goes on to be sent until there are too many.
      const { messages } = server.asked.at(-1)?.body ?? assert.fail();
      const again = messages.filter((/** @type {any} */ { role }) => role === 'assistant');
      assert.equal(again.length, Math.min(question - 1, 12));
    }
  },
);

testWithModel(
  'an endpoint that names a wait of 60 s is waited for, and one past it is not',
  async (page, server) => {
    await chooseModel(page, fieldsFor(server));
    await letIn(page);
    server.willAnswer({ status: 429, retryAfter: '61' });
    await ask(page, 'Now?');
    await chat(page).getByText('takes no more requests for the moment (429)').waitFor();
    server.willAnswer({ status: 429, retryAfter: '60' });
    await ask(page, 'And now?');
    await chat(page).getByText('Trying again in 60 s').waitFor();
    await chat(page).getByRole('button', { name: 'Stop' }).click();
    await chat(page).getByText('Stopped.').waitFor();
    assert.equal(server.asked.length, 2);
  },
  /^(?:429: |console: Failed to load resource)/,
);
