import { expect } from '@esm-bundle/chai';
// Not part of the package's interface: a part of how access is enforced.
import {
  beginningOf,
  expandTemplate,
} from '../../packages/server/src/resources/template-expansion.js';

describe('where the uris of a template begin', () => {
  const cases: [template: string, values: { [name: string]: string }, expected: string][] = [
    ['note:///{id}', {}, 'note:///'],
    ['note:///{id}', { id: '01' }, 'note:///01'],
    ['note:///search{?q}', {}, 'note:///search'],
    ['note:///search{?q}', { q: 'a b&c' }, 'note:///search?q=a%20b%26c'],
    ['file:///{+path}', { path: 'a b/c' }, 'file:///a%20b/c'],
    ['file:///{+path}', { path: 'a%23b/100%' }, 'file:///a%23b/100%25'],
    ['file:///{+path}', { path: '[ä]' }, 'file:///[%C3%A4]'],
    ['file:///{path}', { path: 'a/b' }, 'file:///a%2Fb'],
    ['file:///{+folder}/', { folder: 'a/b' }, 'file:///a/b/'],
    ['app:{a}/{b}/c', { b: 'x' }, 'app:'],
    ['app:{a}/{b}/c', { a: '1' }, 'app:1/'],
    ['app:{a}/{b}/c', { a: '1', b: '2' }, 'app:1/2/c'],
    ['app:{__proto__}', {}, 'app:'],
    ['app:{x}', { x: '\uD800' }, 'app:%EF%BF%BD'],
    ['app:none', {}, 'app:none'],
  ];
  for (const [template, values, expected] of cases) {
    it(`${template} with ${JSON.stringify(values)}`, () => {
      expect(expandTemplate(template, values)).to.equal(expected);
      if (Object.keys(values).length === 0) expect(beginningOf(template)).to.equal(expected);
    });
  }
});
