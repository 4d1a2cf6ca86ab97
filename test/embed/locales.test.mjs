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
  recursive: true,
})
  .filter((path) => path.endsWith('.js'))
  .map((path) => path.slice(0, -'.js'.length));

/** The texts of a language are in a folder of the same name. @param {string} name */
const isLanguage = (name) => modules.some((path) => path.startsWith(`${name}/`));

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

  void it('cannot be imported in parts, nor with a module that only they use', () => {
    assert.ok(parts.includes('texts'));
    for (const name of parts)
      assert.throws(() => resolve(`${ELEMENTS}/locales/${name}`), {
        code: 'ERR_PACKAGE_PATH_NOT_EXPORTED',
      });
  });
});
