import { expect } from '@esm-bundle/chai';
// Internal: which fields a template has is a matter of many cases.
import { ShownTemplate } from '../../packages/elements/src/choose/mcp-template-form/shown-template.js';

const shown = (uriTemplate: string): ShownTemplate => new ShownTemplate({ uriTemplate, name: 'a' });
const fieldOf = (uriTemplate: string): object => shown(uriTemplate).fields[0]!;

describe('the fields of a URI template', () => {
  const cases: [template: string, field: object][] = [
    ['{a}', { isRequired: true, isList: false, maxLength: undefined }],
    ['{+a}', { isRequired: true }],
    ...['#', '.', '/', ';', '?', '&'].map((operator): [string, object] => [
      `{${operator}a}`,
      { isRequired: false },
    ]),
    ['{?a}{a}', { isRequired: true }],
    ['{a}{?a}', { isRequired: true }],
    ['{a:3}', { maxLength: 3 }],
    ['{a:3}{a:5}', { maxLength: 5 }],
    ['{a:5}{a:3}', { maxLength: 5 }],
    ['{a:3}{a}', { maxLength: undefined }],
    ['{a}{a:3}', { maxLength: undefined }],
    ['{a*}', { isList: true }],
    ['{/a*}', { isList: true, isRequired: false }],
    ['{a*}{a}', { isList: false }],
    ['{a}{a*}', { isList: false }],
    ['{a*}{a:3}', { isList: false }],
    ['{%41}', { name: '%41', label: 'A' }],
    ['{%C3}', { name: '%C3', label: '%C3' }],
  ];
  for (const [template, field] of cases) {
    it(`are ${JSON.stringify(field)} for ${template}`, () => {
      expect(fieldOf(template)).to.include(field);
    });
  }

  it('are there once for each name, in the order of the template', () => {
    const { fields } = shown('{b}{?a,b,c}');
    expect(fields.map(({ name }) => name)).to.deep.equal(['b', 'a', 'c']);
  });
});

describe('the address of a URI template', () => {
  it('is there when each required value is more than spaces', () => {
    const template = shown('a:{x}{?y}');
    expect(template.missing({ x: ' ', y: '' })).to.deep.equal(['x']);
    expect(template.uri({ x: ' ' })).to.equal(undefined);
    expect(template.uri({ x: '1' })).to.equal('a:1');
    expect(template.draft({ y: '2' })).to.equal('a:?y=2');
  });

  it('leaves out the empty lines of a list, and a list of nothing else', () => {
    const template = shown('a:x{/path*}');
    expect(template.uri({ path: 'b\n \n\nc' })).to.equal('a:x/b/c');
    expect(template.uri({ path: ' \n' })).to.equal('a:x');
  });

  it('keeps only the first characters where the template says so, and whole ones', () => {
    expect(shown('a:{x:2}{x}').uri({ x: '🐎bc' })).to.equal(
      `a:${encodeURIComponent('🐎b')}${encodeURIComponent('🐎bc')}`,
    );
  });

  it('does not take properties of every object for values', () => {
    expect(shown('a:{toString}').missing({})).to.deep.equal(['toString']);
  });

  it('is not there for a malformed template, which has an error and no fields', () => {
    const template = shown('a:{');
    expect(template.error).to.be.instanceOf(SyntaxError);
    expect(template.fields).to.deep.equal([]);
    expect(template.uri({})).to.equal(undefined);
  });
});
