// What the documents of the assistants may reach, by their own policies: as on a host that sends none.
import assert from 'node:assert/strict';
import { after } from 'node:test';
import { inRoot } from '../../scripts/project/project.mjs';
import { serveFolder } from '../../scripts/serving/static-server.mjs';
import { chat, letIn, sendAway } from './assistant-page.mjs';
import { testInPrivateWindow } from './browser.mjs';
import { chooseModel, fieldsFor } from './model-page.mjs';
import { startModelServer } from './model-server.mjs';

const demo = await serveFolder(inRoot('demo/dist'));
const server = await startModelServer();
after(() => Promise.all([demo.close(), server.close()]));

testInPrivateWindow(
  'the script has no network, and a model only the host that is shown',
  async (browser) => {
    const page = await browser.openTab();
    const reaches = (/** @type {string} */ url) =>
      chat(page)
        .locator('body')
        .evaluate((_, url) => {
          const answer = fetch(url, { method: 'POST', body: '{}' });
          return answer.then(
            () => true,
            () => false,
          );
        }, url);
    await letIn(page);
    assert.equal(await reaches(server.url), false);
    await sendAway(page);
    await chooseModel(page, fieldsFor(server));
    await letIn(page);
    assert.equal(await reaches(server.url.replace('localhost', '127.0.0.1')), false);
    assert.equal(server.asked.length, 0);
    server.willAnswer({ says: ['here'] });
    assert.equal(await reaches(server.url), true);
    const isExpected = /Content Security Policy|failed: .*ERR_BLOCKED_BY_CSP|csp/i;
    browser.problems = browser.problems.filter((problem) => !isExpected.test(problem));
    browser.requests = browser.requests.filter((url) => !url.endsWith('/v1'));
  },
  { home: new URL(demo.url) },
);
