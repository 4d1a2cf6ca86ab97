// What an app can import of the translations in the packed elements: each language, as a whole.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import { inApp, installed } from './folder.mjs';

const ELEMENTS = '@inpage-mcp/elements';

const { resolve } = createRequire(inApp('package.json'));

const modules = readdirSync(installed(`${ELEMENTS}/dist/locales`), {
  encoding: 'utf8',
})
  .filter((path) => path.endsWith('.js'))
  .map((path) => path.slice(0, -'.js'.length));

/** @param {string} name */
const isLanguage = (name) => /^[a-z]{2}$/.test(name);

void describe('the translations', () => {
  const languages = modules.filter(isLanguage);
  const parts = modules.filter((name) => !isLanguage(name));

  void it('are those that the guide names', () => {
    assert.deepEqual(languages.toSorted(), ['ar', 'ja', 'zh']);
  });

  void it('can be imported by their language', () => {
    for (const name of languages)
      assert.equal(
        resolve(`${ELEMENTS}/locales/${name}`),
        installed(`${ELEMENTS}/dist/locales/${name}.js`),
      );
  });

  void it('leave a module that only they use inside the package', () => {
    assert.ok(parts.includes('templates-of'));
    for (const name of parts)
      assert.throws(() => resolve(`${ELEMENTS}/locales/${name}`), {
        code: 'ERR_PACKAGE_PATH_NOT_EXPORTED',
      });
  });
});
