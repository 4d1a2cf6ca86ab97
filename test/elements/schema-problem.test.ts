import { expect } from '@esm-bundle/chai';
// Internal: what a schema says about JSON is a matter of many cases.
import { schemaProblem } from '../../packages/elements/src/fields/schema/schema-problem.js';
import { manyHoles } from '../support/holes.js';
import { leastTime } from '../support/slowness.js';

const problem = (schema: unknown, value: unknown, root: unknown = schema): string | undefined =>
  schemaProblem(value, { schema, root });

const NOT_ALLOWED = 'The schema does not allow this value.';
const PERSON = {
  type: 'object',
  properties: { name: { type: 'string', maxLength: 5 }, age: { type: ['integer', 'null'] } },
  required: ['name'],
  additionalProperties: false,
};

describe('JSON and its schema', () => {
  const wrong: [schema: unknown, value: unknown, text: string][] = [
    [{ type: 'string' }, 7, 'The type must be: string'],
    [{ type: ['string', 'null'] }, 7, 'The type must be: string, null'],
    [{ type: 'integer' }, 1.5, 'The type must be: integer'],
    [{ type: 'number' }, '1', 'The type must be: number'],
    [{ type: 'boolean' }, null, 'The type must be: boolean'],
    [{ type: 'array' }, {}, 'The type must be: array'],
    [{ type: 'object' }, [], 'The type must be: object'],
    [{ type: 'null' }, 0, 'The type must be: null'],
    [{ type: 'number', maximum: 3 }, 4, 'Enter 3 or less.'],
    [{ type: 'string', pattern: '^a' }, 'b', 'This must match the pattern ^a'],
    [{ minItems: 2 }, [1], 'More entries are needed. Minimum: 2'],
    [{ uniqueItems: true }, [1, 1], 'Each entry must be different.'],
    [{ enum: ['a', 'b'] }, 'c', NOT_ALLOWED],
    [{ const: 1 }, 2, NOT_ALLOWED],
    [{ const: null }, 2, NOT_ALLOWED],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, true, NOT_ALLOWED],
    [{ oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }] }, 'c', NOT_ALLOWED],
    [{ allOf: [{ type: 'number' }, { type: 'number', minimum: 2 }] }, 1, 'Enter 2 or more.'],
    [PERSON, {}, 'This name is missing: name'],
    [PERSON, { name: 'Ada', more: 1 }, 'The schema does not have this name: more'],
    [PERSON, { name: 'Grace H.' }, 'name: This is too long. Maximum length: 5. Length now: 8'],
    [PERSON, { name: 'Ada', age: 'x' }, 'age: The type must be: integer, null'],
    [
      { properties: { people: { items: PERSON } } },
      { people: [{ name: 'Ada' }, { age: 7 }] },
      'people[1]: This name is missing: name',
    ],
    [
      { properties: { a: { additionalProperties: { type: 'string' } } } },
      { a: { x: 'y', z: 1 } },
      'a.z: The type must be: string',
    ],
    [
      { prefixItems: [{ type: 'string' }, { type: 'number' }] },
      ['a', 'b'],
      '[1]: The type must be: number',
    ],
    [{ prefixItems: [{}], items: false }, [1, 2], `[1]: ${NOT_ALLOWED}`],
    [{ properties: { a: false } }, { a: 1 }, `a: ${NOT_ALLOWED}`],
    [{ $ref: '#/$defs/a', $defs: { a: { type: 'string' } } }, 7, 'The type must be: string'],
  ];
  for (const [schema, value, text] of wrong) {
    it(`do not match: ${JSON.stringify(value)} and ${JSON.stringify(schema).slice(0, 80)}`, () => {
      expect(problem(schema, value)).to.equal(text);
    });
  }

  const right: [schema: unknown, value: unknown][] = [
    [{}, { any: ['thing'] }],
    [true, 7],
    [undefined, 7],
    [{ type: 'integer' }, 2],
    [{ type: ['string', 'null'] }, null],
    [{ type: 'string', nullable: true }, null],
    [{ enum: [{ a: 1 }, 'b'] }, { a: 1 }],
    [{ const: null }, null],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, null],
    [PERSON, { name: 'Ada', age: null }],
    [{ properties: {}, additionalProperties: false, patternProperties: { '^x': {} } }, { x1: 1 }],
    [{ prefixItems: [{ type: 'string' }] }, ['a', 7]],
    [{ prefixItems: [{ type: 'string' }, {}] }, ['a']],
    [{ $ref: 'https://elsewhere.example/schema.json' }, 7],
    [{ type: 'date', minimum: 'x', required: 7, enum: 'a', properties: [] }, { a: 1 }],
  ];
  for (const [schema, value] of right) {
    it(`match: ${JSON.stringify(value)} and ${JSON.stringify(schema)}`, () => {
      expect(problem(schema, value)).to.equal(undefined);
    });
  }

  it('are followed to 40 levels, and left to the server from there on', () => {
    const nested = (levels: number): unknown =>
      Array.from({ length: levels }).reduce((inner) => ({ a: inner }), 'wrong');
    const schema = { properties: { a: { anyOf: [{ type: 'number' }, { $ref: '#' }] } } };
    const text = { properties: { a: { $ref: '#' } }, type: 'object' };
    expect(problem(text, nested(39))).to.contain('The type must be: object');
    expect(problem(text, nested(40))).to.equal(undefined);
    expect(problem(schema, nested(3))).to.equal(undefined);
  });

  it('are followed to 2,000 schemas, and left to the server from there on', () => {
    const schema = { items: { type: 'number' } };
    const values = (count: number): unknown[] => [
      ...Array.from({ length: count - 1 }, (_, index) => index),
      'x',
    ];
    expect(problem(schema, values(1_999))).to.contain('[1998]: The type must be: number');
    expect(problem(schema, values(2_000))).to.equal(undefined);
  });

  const circle: { [name: string]: unknown } = {};
  circle['anyOf'] = [circle, circle];
  const HOSTILE: unknown[] = [
    circle,
    { $ref: '#' },
    { anyOf: [{ $ref: '#' }, { $ref: '#' }] },
    { allOf: [{ $ref: '#' }, { $ref: '#' }], items: { $ref: '#' } },
    { anyOf: manyHoles(), required: manyHoles(), enum: manyHoles() },
    { type: manyHoles(), properties: null, items: 7 },
    { type: 'string', pattern: '^(a+)+$' },
  ];
  for (const [index, schema] of HOSTILE.entries()) {
    it(`take a few milliseconds, whatever the schema is (${index})`, async () => {
      const least = await leastTime(50, () => {
        problem(
          schema,
          Array.from({ length: 50 }, () => `${'a'.repeat(28)}!`),
        );
        problem(schema, `${'a'.repeat(28)}!`);
      });
      expect(least).to.be.below(50);
    });
  }
});
