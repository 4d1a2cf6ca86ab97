import { expect } from '@esm-bundle/chai';
import {
  inputSchema,
  issuesText,
  outputSchema,
  type Checked,
  type JsonSchema,
} from '../../packages/protocol/src/schemas/index.js';
import { leastTime } from '../support/slowness.js';

interface Case {
  /** Of the property that the cases are about. */
  readonly schema: unknown;
  readonly valid: readonly unknown[];
  readonly invalid: readonly unknown[];
  /** What is said of the first that is not valid. */
  readonly says: string;
}

const CASES: Record<string, Case> = {
  'type string': {
    schema: { type: 'string' },
    valid: ['', 'a'],
    invalid: [1, null, [], {}],
    says: 'must be a string',
  },
  'type number': {
    schema: { type: 'number' },
    valid: [0, 1.5],
    invalid: ['1', NaN, Infinity],
    says: 'must be a number',
  },
  'type integer': {
    schema: { type: 'integer' },
    valid: [1, 1.0, -2],
    invalid: [1.5, '1', true],
    says: 'must be an integer',
  },
  'type boolean': {
    schema: { type: 'boolean' },
    valid: [true, false],
    invalid: [0, 'true', null],
    says: 'must be true or false',
  },
  'type object': {
    schema: { type: 'object' },
    valid: [{}, { a: 1 }],
    invalid: [[], null, 'a'],
    says: 'must be an object',
  },
  'type array': {
    schema: { type: 'array' },
    valid: [[], [1]],
    invalid: [{}, 'a', { length: 0 }],
    says: 'must be an array',
  },
  'type null': {
    schema: { type: 'null' },
    valid: [null],
    invalid: [0, '', false],
    says: 'must be null',
  },
  'several types': {
    schema: { type: ['string', 'null'] },
    valid: ['a', null],
    invalid: [1, {}],
    says: 'must be a string or null',
  },
  const: {
    schema: { const: { a: [1], b: 2 } },
    valid: [{ b: 2, a: [1] }],
    invalid: [{ a: [1] }, { a: [1], b: 3 }, [1]],
    says: 'must be {"a":[1],"b":2}',
  },
  enum: {
    schema: { enum: ['a', 1, [0], null] },
    valid: ['a', 1, [0], null],
    invalid: ['1', true, [false], {}],
    says: 'must be one of "a", 1, [0], null',
  },
  minimum: {
    schema: { minimum: 1 },
    valid: [1, 2, 'a'],
    invalid: [0.9, -1],
    says: 'must be at least 1',
  },
  maximum: {
    schema: { maximum: 1 },
    valid: [1, 0, 'abc'],
    invalid: [1.1],
    says: 'must be at most 1',
  },
  exclusiveMinimum: {
    schema: { exclusiveMinimum: 1 },
    valid: [1.1, null],
    invalid: [1, 0],
    says: 'must be greater than 1',
  },
  exclusiveMaximum: {
    schema: { exclusiveMaximum: 1 },
    valid: [0.9, {}],
    invalid: [1, 2],
    says: 'must be less than 1',
  },
  multipleOf: {
    schema: { multipleOf: 0.01 },
    valid: [0.07, 19.99, 4.35, -1, 0, 'a'],
    invalid: [0.075, 1.001],
    says: 'must be a multiple of 0.01',
  },
  'multipleOf a whole number': {
    schema: { multipleOf: 1 },
    valid: [3, -6, 2 ** 60],
    invalid: [0.5, 2_500_000_000_000_000.5],
    says: 'must be a multiple of 1',
  },
  minLength: {
    schema: { minLength: 2 },
    valid: ['ab', '👍👍', 1],
    invalid: ['👍', 'a', ''],
    says: 'must have at least 2 characters',
  },
  maxLength: {
    schema: { maxLength: 1 },
    valid: ['a', '👍', [1, 2]],
    invalid: ['ab', '👍a'],
    says: 'must have at most 1 character',
  },
  pattern: {
    schema: { pattern: '^\\p{L}.$' },
    valid: ['é👍', 'ab', 1],
    invalid: ['1a', 'abc'],
    says: 'must match the pattern ^\\p{L}.$',
  },
  minItems: {
    schema: { minItems: 1 },
    valid: [[1], 'a'],
    invalid: [[]],
    says: 'must have at least 1 item',
  },
  maxItems: {
    schema: { maxItems: 1 },
    valid: [[1], []],
    invalid: [[1, 2]],
    says: 'must have at most 1 item',
  },
  uniqueItems: {
    schema: { uniqueItems: true },
    valid: [[1, '1', [1], true], []],
    invalid: [
      [1, 1],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
    says: 'must not have the same item twice',
  },
  minProperties: {
    schema: { minProperties: 1 },
    valid: [{ a: 1 }, []],
    invalid: [{}],
    says: 'must have at least 1 property',
  },
  maxProperties: {
    schema: { maxProperties: 1 },
    valid: [{ a: 1 }, {}],
    invalid: [{ a: 1, b: 1 }],
    says: 'must have at most 1 property',
  },
  required: {
    schema: { required: ['b'] },
    valid: [{ b: null }, []],
    invalid: [{}, { b: undefined }],
    says: 'b: is missing',
  },
  properties: {
    schema: { properties: { b: { type: 'null' } } },
    valid: [{ b: null }, {}, { b: undefined }, { c: 1 }],
    invalid: [{ b: 1 }],
    says: 'b: must be null',
  },
  patternProperties: {
    schema: { patternProperties: { '^b': { type: 'null' } } },
    valid: [{ bc: null, c: 1 }],
    invalid: [{ bc: 1 }],
    says: 'bc: must be null',
  },
  additionalProperties: {
    schema: {
      properties: { b: {} },
      patternProperties: { '^c': {} },
      additionalProperties: { type: 'null' },
    },
    valid: [{ b: 1, cd: 1, e: null }],
    invalid: [{ e: 1 }],
    says: 'e: must be null',
  },
  propertyNames: {
    schema: { propertyNames: { maxLength: 1 } },
    valid: [{ b: 1 }],
    invalid: [{ bc: 1 }],
    says: 'bc: has a name that is not allowed',
  },
  dependentRequired: {
    schema: { dependentRequired: { b: ['c'] } },
    valid: [{}, { c: 1 }, { b: 1, c: 1 }],
    invalid: [{ b: 1 }],
    says: 'c: is missing',
  },
  dependentSchemas: {
    schema: { dependentSchemas: { b: { maxProperties: 1 } } },
    valid: [{ b: 1 }, { c: 1, d: 1 }],
    invalid: [{ b: 1, c: 1 }],
    says: 'must have at most 1 property',
  },
  unevaluatedProperties: {
    schema: {
      properties: { b: {} },
      anyOf: [{ properties: { c: { const: 1 } }, required: ['c'] }, { properties: { d: {} } }],
      unevaluatedProperties: false,
    },
    valid: [{ b: 1, c: 1 }, { d: 1 }],
    invalid: [{ e: 1 }, { c: 2 }],
    says: 'Unknown property "e"; the allowed ones are: b.',
  },
  items: {
    schema: { items: { type: 'null' } },
    valid: [[], [null], { 0: 1 }],
    invalid: [[null, 1]],
    says: '1: must be null',
  },
  prefixItems: {
    schema: { prefixItems: [{ type: 'null' }, true], items: false },
    valid: [[], [null], [null, 1]],
    invalid: [[null, 1, 2], [1]],
    says: '2: is not allowed',
  },
  contains: {
    schema: { contains: { type: 'null' }, minContains: 2, maxContains: 3 },
    valid: [[null, null], 1],
    invalid: [[null], [null, null, null, null]],
    says: 'must have at least 2 and at most 3 of the items that are asked for',
  },
  unevaluatedItems: {
    schema: { prefixItems: [true], contains: { type: 'null' }, unevaluatedItems: false },
    valid: [[1, null, null], [null]],
    invalid: [[1, null, 2]],
    says: '2: is not allowed',
  },
  allOf: {
    schema: { allOf: [{ minimum: 1 }, { maximum: 2 }] },
    valid: [1, 2],
    invalid: [0, 3],
    says: 'must be at least 1',
  },
  anyOf: {
    schema: { anyOf: [{ type: 'null' }, { minimum: 1, type: 'number' }] },
    valid: [null, 1],
    invalid: ['a', 0],
    says: 'must be null or must be a number',
  },
  oneOf: {
    schema: { oneOf: [{ multipleOf: 2 }, { multipleOf: 3 }] },
    valid: [2, 3],
    invalid: [6, 1],
    says: 'has more than one of the allowed forms',
  },
  not: {
    schema: { not: { type: 'null' } },
    valid: [1, 'a'],
    invalid: [null],
    says: 'has a form that is not allowed',
  },
  'if, then and else': {
    // Written as text: an object with a `then` passes for a promise.
    schema: JSON.parse(
      '{ "if": { "type": "string" }, "then": { "minLength": 1 }, "else": { "type": "null" } }',
    ),
    valid: ['a', null],
    invalid: ['', 1],
    says: 'must have at least 1 character',
  },
  $ref: { schema: { $ref: '#/$defs/a~1b%25' }, valid: [null], invalid: [1], says: 'must be null' },
  $anchor: { schema: { $ref: '#here' }, valid: [1], invalid: [null], says: 'must be a number' },
  $id: { schema: { $ref: 'other.json' }, valid: [1], invalid: [null], says: 'must be a number' },
  'the schema false': { schema: false, valid: [], invalid: [1, null], says: 'is not allowed' },
  'the schema true': { schema: true, valid: [1, null], invalid: [], says: '' },
  'what is only said about a value': {
    schema: { format: 'email', contentEncoding: 'base64', title: 5, unknown: { type: 'null' } },
    valid: [1, 'no email'],
    invalid: [],
    says: '',
  },
};

const DEFINITIONS = {
  'a/b%': { type: 'null' },
  number: { $anchor: 'here', type: 'number' },
  other: { $id: 'other.json', $ref: '#/$defs/inner', $defs: { inner: { type: 'number' } } },
};

/** What is not a schema of 2020-12, and what is said of it. */
const NO_SCHEMAS: [schema: unknown, says: string][] = [
  [5, 'properties.a: must be a schema'],
  [null, 'properties.a: must be a schema'],
  [{ $ref: '#/$defs/none' }, '"#/$defs/none" does not exist'],
  [{ $ref: '#/$defs/constructor' }, 'does not exist'],
  [{ $ref: '#none' }, 'does not exist'],
  [{ $ref: 'https://example.com/schema.json' }, 'does not exist'],
  [{ $dynamicRef: '#a' }, 'properties.a.$dynamicRef: is not supported'],
  [{ $schema: 'http://json-schema.org/draft-07/schema#' }, 'properties.a.$schema: must be'],
  [{ type: 'text' }, 'properties.a.type: must be one of "string"'],
  [{ type: 'toString' }, 'properties.a.type'],
  [{ type: [] }, 'properties.a.type'],
  [{ type: ['string', 5] }, 'properties.a.type'],
  [{ required: 'a' }, 'properties.a.required: must be an array'],
  [{ required: true }, 'properties.a.required: must be an array'],
  [{ required: [5] }, 'properties.a.required.0: must be a string'],
  [{ enum: 'a' }, 'properties.a.enum: must be an array'],
  [{ exclusiveMinimum: true }, 'properties.a.exclusiveMinimum: must be a number'],
  [{ minimum: '5' }, 'properties.a.minimum: must be a number'],
  [{ multipleOf: 0 }, 'properties.a.multipleOf: must be greater than 0'],
  [{ minLength: -1 }, 'properties.a.minLength: must be at least 0'],
  [{ maxItems: 1.5 }, 'properties.a.maxItems: must be an integer'],
  [{ uniqueItems: 'yes' }, 'properties.a.uniqueItems: must be true or false'],
  [{ pattern: 5 }, 'properties.a.pattern: must be a string'],
  [{ properties: [] }, 'properties.a.properties: must be an object'],
  [{ properties: { b: 'string' } }, 'properties.a.properties.b: must be a schema'],
  [{ anyOf: {} }, 'properties.a.anyOf: must be an array'],
  [{ anyOf: [] }, 'properties.a.anyOf: must have at least 1 item'],
  [{ items: [{}] }, 'properties.a.items: must be a schema'],
  [{ additionalItems: {} }, 'properties.a.additionalItems: is not a keyword of 2020-12'],
  [{ format: 5 }, 'properties.a.format: must be a string'],
  [{ dependencies: {} }, 'properties.a.dependencies: is not a keyword of 2020-12'],
  [{ dependentRequired: { b: 'c' } }, 'properties.a.dependentRequired.b: must be an array'],
  [{ not: { if: { $defs: { c: { else: 5 } } } } }, 'a.not.if.$defs.…: must be a schema'],
  [{ pattern: '(' }, 'properties.a.pattern: is not a regular expression'],
  [{ patternProperties: { '(': {} } }, 'properties.a.patternProperties: has a name that is not'],
  [{ $id: 'http://[' }, 'properties.a.$id: is not a URI reference'],
  [{ $ref: 'http://[' }, 'properties.a.$ref: its target "http://[" does not exist'],
  [{ $ref: '#/%zz' }, 'properties.a.$ref: its target "#/%zz" does not exist'],
  [{ $ref: '#/properties/a/title', title: 'A' }, 'properties.a.$ref: its target "#/properties/a/t'],
  [{ $ref: '#/properties/a/enum', enum: ['x'] }, 'a.$ref: its target "#/properties/a/enum" is not'],
  [{ $ref: '#/properties/a' }, 'properties.a: has a $ref that leads back to it'],
  [{ allOf: [{ $ref: '#/properties/a' }] }, 'properties.a: has a $ref that leads back to it'],
  [{ if: { $ref: '#/properties/a' } }, 'properties.a: has a $ref that leads back to it'],
  [{ dependentSchemas: { b: { $ref: '#/properties/a' } } }, 'properties.a: has a $ref that leads'],
  [{ $ref: '#/properties/a/x', x: { type: 'text' } }, 'properties.a.$ref.type: must be one of'],
  [{ $ref: '#/properties/a/x', x: { items: 5 } }, 'properties.a.$ref.items: must be a schema'],
  [
    { $ref: '#/properties/a/x', x: { $ref: '#none' } },
    'properties.a.$ref.$ref: its target "#none"',
  ],
];

describe('a plain JSON Schema checks', () => {
  for (const [name, { schema, valid, invalid, says }] of Object.entries(CASES)) {
    it(name, () => {
      const { check } = inputSchema({ properties: { a: schema }, $defs: DEFINITIONS });
      for (const a of valid) {
        const value = { a };
        expect(check(value), JSON.stringify(a)).to.deep.equal({ value });
      }
      const reports = invalid.map((a) => issuesOf(check({ a })));
      for (const issues of reports) expect(issues).to.have.length.at.least(1);
      const text = reports[0] ? issuesText(reports[0]) : '';
      // The path begins with the property, whatever comes below it.
      expect(text.replace(/^a[.:] ?/, '')).to.equal(says);
    });
  }

  it('every keyword at once', () => {
    const failing = Object.values(CASES).filter(({ invalid }) => invalid.length > 0);
    const names = failing.map((_, n) => `p${n}`);
    const { check } = inputSchema({
      properties: Object.fromEntries(failing.map(({ schema }, n) => [names[n], schema])),
      $defs: DEFINITIONS,
    });
    const value = Object.fromEntries(failing.map(({ invalid }, n) => [names[n], invalid[0]]));
    const wrong = new Set(issuesOf(check(value)).map(({ path }) => path[0]));
    expect([...wrong]).to.deep.equal(names.slice(0, 20));
  });

  it('that it is a schema, with references that lead somewhere in it, where it is defined', () => {
    for (const [a, says] of NO_SCHEMAS) {
      const define = (): unknown => inputSchema({ properties: { a } as never });
      expect(define, JSON.stringify(a)).to.throw(TypeError, says);
    }
    expect(() => outputSchema({ required: 'a' } as never)).to.throw(
      TypeError,
      'required: must be an array',
    );
  });

  it('of an output, that official clients compile it, which do not compile inputs', () => {
    const others: [schema: JsonSchema, says: string][] = [
      [{ id: 'a' }, 'properties.a.id: is not a keyword of 2020-12: use $id'],
      [
        { formatMinimum: '2026-01-01' },
        'properties.a.formatMinimum: is not a keyword of JSON Schema',
      ],
      [{ enum: [] }, 'properties.a.enum: must have at least 1 item'],
      [{ nullable: true }, 'properties.a: has nullable without a type'],
    ];
    for (const [a, says] of others) {
      const schema = { properties: { a } };
      expect(() => outputSchema(schema), JSON.stringify(a)).to.throw(TypeError, says);
      inputSchema(schema);
    }
  });
});

describe('a plain JSON Schema is safe with', () => {
  const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];
  const objectWith = (name: string, member: unknown): object =>
    JSON.parse(`{ ${JSON.stringify(name)}: ${JSON.stringify(member)} }`) as object;

  for (const name of NAMES) {
    it(`a property named ${name}`, () => {
      const isValid = (schema: JsonSchema, value: unknown): boolean =>
        issuesOf(inputSchema(schema).check(value)).length === 0;
      const described = { properties: objectWith(name, { type: 'integer' }) };
      expect(isValid(described, {})).to.be.true;
      expect(isValid(described, objectWith(name, 1))).to.be.true;
      expect(isValid(described, objectWith(name, 'a'))).to.be.false;
      expect(isValid({ required: [name] }, {})).to.be.false;
      expect(isValid({ required: [name] }, objectWith(name, 1))).to.be.true;
      expect(isValid({ additionalProperties: false }, objectWith(name, 1))).to.be.false;
      expect(isValid({ ...described, additionalProperties: false }, objectWith(name, 1))).to.be
        .true;
      expect(isValid({ dependentRequired: objectWith(name, ['x']) }, {})).to.be.true;
      expect(isValid({ [name]: 5, type: 'object' }, {})).to.be.true;
    });
  }

  it('a recursive schema whose forms all look at the same members', async () => {
    const form = (kind: string): JsonSchema => ({
      properties: { child: { $ref: '#/$defs/node' }, kind: { const: kind } },
      required: ['child'],
    });
    for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
      const schema = {
        $ref: '#/$defs/node',
        $defs: { node: { [keyword]: [form('a'), form('b')], unevaluatedProperties: false } },
      };
      let value: object = {};
      for (let depth = 0; depth < 63; depth += 1) value = { child: value, kind: 'c' };
      const least = await leastTime(500, () => inputSchema(schema).check(value));
      expect(least).to.be.below(500);
    }
  });

  it('references that lead round in a circle', () => {
    const circles = { $ref: '#/$defs/a', $defs: { a: { anyOf: [{}, { $ref: '#' }] } } };
    expect(() => inputSchema(circles)).to.throw(TypeError, 'has a $ref that leads back to it');
    const circle: { next?: object } = {};
    circle.next = circle;
    const list = inputSchema({ properties: { next: { $ref: '#' } } });
    expect(list.check(circle)).to.deep.equal({ value: circle });
    const wrong = inputSchema({ properties: { next: { $ref: '#' } }, required: ['id'] });
    expect(issuesOf(wrong.check(circle))).to.have.length.within(1, 2);
  });

  it('many members', async () => {
    const count = 50_000;
    const numbers = Array.from({ length: count }, (_, n) => n);
    const objects = Array.from({ length: count / 2 }, (_, n) => ({ n }));
    const { check } = inputSchema({
      properties: {
        unique: { uniqueItems: true },
        objects: { uniqueItems: true },
        strings: { items: { type: 'string' } },
      },
      additionalProperties: false,
    });
    const keys = Object.fromEntries(numbers.map((n) => [`key ${n}`, n]));
    const least = await leastTime(1_000, () => {
      expect(
        issuesOf(check({ unique: numbers, objects, strings: numbers, ...keys })),
      ).to.have.length(20);
    });
    expect(least).to.be.below(1_000);
  });
});

describe('the check of a plain JSON Schema', () => {
  it('is quick where nothing is wrong', async () => {
    const note = {
      type: 'object',
      properties: {
        title: { type: 'string', maxLength: 1_000 },
        text: { type: 'string', maxLength: 8_388_608 },
        tags: { type: 'array', items: { type: 'string' } },
      },
      required: ['title', 'text'],
      additionalProperties: false,
    };
    const { check } = inputSchema({ properties: { notes: { type: 'array', items: note } } });
    const notes = Array.from({ length: 200 }, () => ({ title: 'a', text: 'b', tags: ['c', 'd'] }));
    const least = await leastTime(200, () => {
      for (let turn = 0; turn < 100; turn += 1) issuesOf(check({ notes }));
    });
    expect(least).to.be.below(200);
  });
});

function issuesOf(checked: Checked | Promise<Checked>): NonNullable<Checked['issues']> {
  if (checked instanceof Promise) throw new Error('A plain schema is checked synchronously.');
  return checked.issues ?? [];
}
