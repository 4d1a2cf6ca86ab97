import { expect } from '@esm-bundle/chai';
import {
  expandTemplate,
  parseTemplate,
  type Value,
} from '../../packages/elements/src/choose/mcp-template-form/uri-template.js';

interface Suite {
  [title: string]: {
    variables: { [name: string]: unknown };
    testcases: [template: string, expected: string | string[] | false][];
  };
}

/** https://github.com/uri-templates/uritemplate-test, the official cases of RFC 6570. */
const suites = ['spec-examples-by-section', 'extended-tests', 'negative-tests'];

/** The tests have numbers, and `null` for what is not defined; our values are texts. */
function valueOf(value: unknown): Value {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'object' ? (value as Value) : String(value as number);
}

const expand = (template: string, variables: { [name: string]: unknown }): string =>
  expandTemplate(parseTemplate(template), (name) => valueOf(variables[name]));

/** Names with hyphens are expanded: servers use them. */
const isAllowedHere = (template: string): boolean =>
  /^\/(?:sparql\{\?query,|\{)default-graph-uri\}$/.test(template);

describe('a URI template', () => {
  for (const name of suites) {
    it(`is expanded as the official tests say (${name})`, async () => {
      const answer = await fetch(`/test/fixtures/uritemplate-test/${name}.json`);
      const suite = (await answer.json()) as Suite;
      let count = 0;
      for (const { variables, testcases } of Object.values(suite)) {
        for (const [template, expected] of testcases) {
          count += 1;
          if (expected === false && isAllowedHere(template)) continue;
          if (expected === false) expect(() => expand(template, variables), template).to.throw();
          else expect([expected].flat(), template).to.include(expand(template, variables));
        }
      }
      expect(count).to.be.greaterThan(20);
    });
  }

  it('separates the labels of several variables', () => {
    expect(expand('X{.x,y}', { x: '1024', y: '768' })).to.equal('X.1024.768');
  });

  it('may have variables whose names contain hyphens', () => {
    expect(expand('/users/{user-id}', { 'user-id': 'a b' })).to.equal('/users/a%20b');
  });

  it('is refused at once if it is too long', () => {
    expect(() => parseTemplate('x'.repeat(1_000_000))).to.throw(SyntaxError);
    expect(() => parseTemplate('{a}'.repeat(1_000))).to.throw(SyntaxError);
    expect(() => parseTemplate(`{${'a.'.repeat(4_000)}}`)).to.throw(SyntaxError);
  });

  it('has at most 8,192 characters and 200 expressions', () => {
    expect(parseTemplate('x'.repeat(8_192))).to.have.length(1);
    expect(() => parseTemplate('x'.repeat(8_193))).to.throw(SyntaxError, 'too long');
    expect(parseTemplate('{a}'.repeat(200))).to.have.length(401);
    expect(() => parseTemplate('{a}'.repeat(201))).to.throw(SyntaxError, 'too long');
  });

  it('replaces a lone surrogate, which no uri can contain', () => {
    expect(expand('{a}{+a}', { a: '\uD800' })).to.equal('%EF%BF%BD%EF%BF%BD');
  });
});
