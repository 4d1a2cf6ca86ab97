// examples/assistants: each vendor's own library, against an endpoint on this machine that speaks its wire.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { serveFolder } from '../../scripts/serving/static-server.mjs';
import { startModelServer } from '../e2e/model-server.mjs';
import { build, inApp, runInstalled } from './folder.mjs';
import { launchChromium } from './opened-page.mjs';

/**
 * @typedef {object} Assistant
 * @property {string} name of the page
 * @property {string} path of the requests
 * @property {boolean} [isAtOrigin] whether the library adds the version to the address
 * @property {(body: any) => unknown} tools of a request
 * @property {(body: any) => unknown} answer of the tool, in the second request
 */

/** What a model may say to harm the page. */
const HOSTILE = '<img src=x onerror="document.title = 1"><b>It is written.</b>';

/** @param {any} body */
const anthropicAnswer = (body) => body.messages.at(-1).content[0];
/** @param {any} body */
const openAiAnswer = (body) => body.input.at(-1);

/** @type {Assistant[]} */
const assistants = [
  {
    name: 'ai-sdk',
    path: '/v1/messages',
    tools: ({ tools }) => tools[0].input_schema,
    answer: anthropicAnswer,
  },
  {
    name: 'anthropic',
    path: '/v1/messages',
    isAtOrigin: true,
    tools: ({ tools }) => tools[0].input_schema,
    answer: anthropicAnswer,
  },
  {
    name: 'openai',
    path: '/v1/responses',
    tools: ({ tools }) => tools[0].parameters,
    answer: openAiAnswer,
  },
  {
    name: 'openai-agents',
    path: '/v1/responses',
    tools: ({ tools }) => tools[0].parameters,
    answer: openAiAnswer,
  },
  {
    name: 'google',
    path: '/v1beta/models/test:generateContent',
    isAtOrigin: true,
    tools: ({ tools }) => tools[0].functionDeclarations[0].parametersJsonSchema,
    answer: ({ contents }) => contents.at(-1).parts[0].functionResponse,
  },
  {
    name: 'langchain',
    path: '/v1/chat/completions',
    tools: ({ tools }) => tools[0].function.parameters,
    answer: ({ messages }) => messages.at(-1),
  },
];

const MAX_LINES = 40;
const example = inApp('examples/assistants');
// The libraries of six vendors have 249 MB, and change often: `npm run test:embed -- --soak` runs these tests.
const skip = !existsSync(example) && 'only with --soak';

void describe('the assistants', { skip }, () => {
  /** @type {import('puppeteer-core').Browser} */
  let browser;
  /** @type {{ url: string, close: () => Promise<void> }} */
  let served;
  /** @type {import('../e2e/model-server.mjs').ModelServer} */
  let model;

  before(async () => {
    await build(['vite/bin/vite.js', 'build'], example);
    served = await serveFolder(`${example}/dist`);
    browser = await launchChromium();
    model = await startModelServer();
  });

  after(async () => {
    await browser?.close();
    await served?.close();
    await model?.close();
  });

  void it('have the types that the libraries ask for', async () => {
    const { code, output } = await runInstalled(['typescript/bin/tsc', '--noEmit'], example);
    assert.equal(code, 0, output);
  });

  for (const { name, path, isAtOrigin, tools, answer } of assistants) {
    void it(`${name}: has ${MAX_LINES} lines at most`, () => {
      const lines = readFileSync(`${example}/src/${name}.ts`, 'utf8').trim().split('\n');
      assert.ok(lines.length <= MAX_LINES, `${lines.length} lines`);
    });

    void it(`${name}: writes a note when the user agrees, and says so to the model`, async () => {
      const { page, problems, questions } = await openPage(`${name}.html`);
      const endpoint = isAtOrigin ? new URL(model.url).origin : model.url;
      const asked = model.asked.length;
      model.willAnswer(
        { calls: { name: 'create_note', args: { title: `By ${name}`, text: 'Hello' } } },
        { says: [HOSTILE] },
      );
      await ask(page, endpoint, 'Write a note.');

      // The words of a model are text, whatever they are.
      assert.equal(await answerOf(page), HOSTILE);
      assert.equal(await page.$('output *'), null);
      await page.waitForFunction(
        (/** @type {string} */ title) =>
          document.querySelector('mcp-resource-list')?.shadowRoot?.textContent?.includes(title),
        {},
        `By ${name}`,
      );
      assert.deepEqual(questions, [`Create the note "By ${name}"?`]);
      assert.deepEqual(problems, []);

      const [first, second, ...more] = model.asked.slice(asked);
      assert.deepEqual(more, []);
      assert.equal(new URL(first?.url ?? '', model.url).pathname, path);
      const schema = JSON.stringify(tools(first?.body));
      assert.match(schema, /"type":"object"/);
      assert.doesNotMatch(schema, /idempotencyKey/);
      // The uri of the link to the new note, at which some helpers throw.
      assert.match(JSON.stringify(answer(second?.body)), /URI: note:\/\/\/[0-9A-Z]{26}/);
      await page.close();
    });
  }

  /** @param {string} path */
  async function openPage(path) {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    /** @type {string[]} */
    const problems = [];
    /** @type {string[]} */
    const questions = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    page.on('dialog', (dialog) => {
      questions.push(dialog.message());
      void dialog.accept();
    });
    await page.goto(new URL(path, served.url).href);
    await page.waitForSelector('form');
    await page.waitForFunction(() => {
      const field = document.querySelector('input[name=baseURL]');
      return field instanceof HTMLInputElement && field.value !== '';
    });
    return { page, problems, questions };
  }

  /** Resolves to what the page shows when it no longer waits. @param {import('puppeteer-core').Page} page */
  async function answerOf(page) {
    const text = await page.waitForFunction(
      () => /^(?!Thinking)./.exec(document.querySelector('output')?.textContent ?? '')?.input,
    );
    return await text.jsonValue();
  }

  /** @param {import('puppeteer-core').Page} page @param {string} baseURL @param {string} question */
  async function ask(page, baseURL, question) {
    const values = { baseURL, apiKey: 'none', model: 'test', question };
    await page.evaluate((fields) => {
      for (const [name, value] of Object.entries(fields)) {
        const field = document.querySelector(`input[name=${name}]`);
        if (field instanceof HTMLInputElement) field.value = value;
      }
    }, values);
    await page.click('button');
  }
});
