import { expect } from '@esm-bundle/chai';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import * as z from 'zod';
// Internal to the package: an app only ever sees the schemas of its tools.
import {
  inputSchema,
  issuesText,
  outputSchema,
  type Checked,
  type JsonSchema,
  type SchemaSource,
  type StandardSchema,
} from '../../packages/protocol/src/schemas/index.js';

const NOTE = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    text: { type: 'string', maxLength: 5 },
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    audience: { type: 'array', items: { enum: ['user', 'assistant'] } },
  },
  required: ['id', 'text'],
  additionalProperties: false,
} as const;

/** The same tool input in the words of each library. */
const LIBRARIES: Record<string, StandardSchema> = {
  zod: z.strictObject({
    title: z.string(),
    text: z.string(),
    limit: z.int().default(20),
    tags: z.array(z.string()).optional(),
  }),
  Valibot: toStandardJsonSchema(
    v.strictObject({
      title: v.string(),
      text: v.string(),
      limit: v.optional(v.number(), 20),
      tags: v.optional(v.array(v.string())),
    }),
  ),
  ArkType: type({
    '+': 'reject',
    title: 'string',
    text: 'string',
    limit: 'number = 20',
    'tags?': 'string[]',
  }),
};

describe('the schema of a tool', () => {
  it('of plain JSON Schema is published as it is, and checked synchronously', () => {
    const schema = inputSchema(NOTE);
    expect(schema.jsonSchema).to.deep.equal(NOTE);
    expect(schema.check({ id: 'a', text: 'b', limit: 3 })).to.deep.equal({
      value: { id: 'a', text: 'b', limit: 3 },
    });
  });

  for (const [name, source] of Object.entries(LIBRARIES)) {
    describe(`of ${name}`, () => {
      it('states its JSON Schema for input and output', () => {
        const input = inputSchema(source).jsonSchema;
        expect(input).to.include({ type: 'object', additionalProperties: false });
        expect(input).to.have.nested.property('properties.title.type', 'string');
        expect(input['required']).to.have.members(['title', 'text']);
        expect(outputSchema(source).jsonSchema['required']).to.include.members(['title', 'text']);
      });

      it('takes what is valid, with defaults', async () => {
        const value = { title: 'a', text: 'b' };
        const checked = await inputSchema(source).check(value);
        expect(checked).to.deep.equal({ value: { title: 'a', text: 'b', limit: 20 } });
        expect(value).to.deep.equal({ title: 'a', text: 'b' });
      });

      it('names each property that is missing, wrong or unknown', async () => {
        const long = 'x'.repeat(1_000);
        const text = await refusal(source, { colour: 'red', [long]: 1, tags: [5] });
        expect(text).to.match(/title: /);
        expect(text).to.match(/text: /);
        expect(text).to.match(/tags\.0: /);
        expect(text).to.contain(`Unknown property "colour", "${'x'.repeat(50)}"; this tool takes`);
        expect(text).not.to.contain('x'.repeat(51));
        expect(text.split('colour')).to.have.length(2);
      });
    });
  }

  it('of a library may be checked asynchronously', async () => {
    const source = z.object({
      id: z.string().refine((id) => Promise.resolve(id !== 'a'), 'Taken'),
    });
    const { check } = inputSchema(source);
    expect(check({ id: 'b' })).to.be.an.instanceOf(Promise);
    expect(await check({ id: 'b' })).to.deep.equal({ value: { id: 'b' } });
    expect(await refusal(source, { id: 'a' })).to.equal('id: Taken');
  });

  it('gives what the library made of the value', async () => {
    const source = z.object({ day: z.string().transform((day) => day.length) });
    expect(await inputSchema(source).check({ day: 'abc' })).to.deep.equal({ value: { day: 3 } });
  });

  it('keeps what a library says of a whole object', async () => {
    const source = z.strictObject({ a: z.int(), b: z.int() }).refine(() => false, 'Too much');
    expect(await refusal(source, { a: 1, b: 1 })).to.equal('Too much');
  });

  it('keeps what a library says of a result whose other properties it leaves out', async () => {
    const source = z.object({ a: z.int() }).refine(() => false, 'Too much');
    const checked = await outputSchema(source).check({ a: 1, b: 2 });
    expect(checked).to.deep.equal({ issues: [{ path: [], message: 'Too much' }] });
  });

  it('takes the path of a library that puts its keys into objects', async () => {
    const issues = [{ message: 'Is\nlong', path: ['a', { key: 0 }] }, { message: 'x'.repeat(900) }];
    const text = await refusal(standardSchema({ issues }), {});
    expect(text).to.equal(`a.0: Is long; ${'x'.repeat(300)}`);
  });

  it('cannot be made of a library that does not state its JSON Schema', () => {
    const source = v.object({}) as unknown as StandardSchema;
    expect(() => inputSchema(source)).to.throw(TypeError, /of valibot.*toStandardJsonSchema/);
  });

  it('passes on why a library cannot express a schema', () => {
    expect(() => inputSchema(z.object({ day: z.date() }))).to.throw(/Date/);
  });
});

describe('the root of a schema', () => {
  const published = (source: SchemaSource): JsonSchema => inputSchema(source).jsonSchema;

  it('is an object for an input', () => {
    expect(published({})).to.deep.equal({ type: 'object' });
    expect(published({ type: ['null', 'object'] })).to.deep.equal({ type: 'object' });
    expect(published({ anyOf: [{ type: 'object' }, { required: ['a'] }] })['type']).to.equal(
      'object',
    );
    expect(published(z.union([z.object({}), z.object({})]))['type']).to.equal('object');
    expect(published({ $ref: '#/$defs/a', $defs: { a: { type: 'object' } } })['type']).to.equal(
      'object',
    );
    expect(inputSchema({}).check([])).to.have.property('issues');
  });

  it('is refused for an input if it is of another type', () => {
    for (const source of [
      { type: 'string' },
      { type: ['string', 'null'] },
      { oneOf: [{ type: 'string' }, { type: 'array' }] },
      { $ref: '#/$defs/a', $defs: { a: { type: 'array' } } },
      z.string(),
    ]) {
      expect(() => inputSchema(source)).to.throw(TypeError, /has to be an object.*string|array/);
    }
  });

  it('may be of any type for an output, and is an object where nothing else is valid', () => {
    const output = (source: SchemaSource): JsonSchema => outputSchema(source).jsonSchema;
    expect(output({ type: 'array' })).to.deep.equal({ type: 'array' });
    expect(output({})).to.deep.equal({});
    expect(output({ anyOf: [{ type: 'object' }, { type: 'null' }] })).not.to.have.property('type');
    expect(output(z.union([z.object({}), z.object({})]))['type']).to.equal('object');
  });
});

describe('defaults', () => {
  const fill = (source: JsonSchema, value: unknown): unknown => {
    const checked = inputSchema(source).check(value);
    expect(checked).to.have.property('value');
    return (checked as { value: unknown }).value;
  };

  it('are filled in on a copy, at any depth', () => {
    const source = {
      properties: {
        page: { type: 'object', properties: { size: { default: 10 } } },
        pair: { prefixItems: [{}], items: { properties: { on: { default: false } } } },
        list: { items: { properties: { on: { default: false } } } },
        node: { $ref: '#/$defs/node' },
      },
      $defs: {
        node: { properties: { kind: { default: 'leaf' }, next: { $ref: '#/$defs/node' } } },
      },
    };
    const value = { page: {}, pair: [{}], list: [{ on: true }, {}], node: { next: {} } };
    const before = structuredClone(value);
    expect(fill(source, value)).to.deep.equal({
      page: { size: 10 },
      pair: [{}],
      list: [{ on: true }, { on: false }],
      node: { next: { kind: 'leaf' }, kind: 'leaf' },
    });
    expect(value).to.deep.equal(before);
  });

  it('are filled in from the target of a reference, wherever it is', () => {
    const source = {
      properties: { a: { $ref: '#/components/A' } },
      components: { A: { type: 'number', default: 1 } },
    };
    expect(fill(source, {})).to.deep.equal({ a: 1 });
  });

  it('leave a value alone that lacks none', () => {
    const source = { properties: { a: { default: 1 }, b: { items: { default: 1 } } } };
    for (const value of [
      { a: null, b: [] },
      { a: 2, b: [3] },
    ]) {
      expect(fill(source, value)).to.equal(value);
    }
    const other = { b: {} };
    expect(fill({ properties: { b: {} } }, other)).to.equal(other);
  });

  it('stand in for what is required, and for undefined', () => {
    const source = { properties: { a: { type: 'integer', default: 1 } }, required: ['a'] };
    expect(fill(source, {})).to.deep.equal({ a: 1 });
    expect(fill(source, { a: undefined })).to.deep.equal({ a: 1 });
  });

  it('that their own schema forbids are refused where they are defined, with the place', () => {
    const wrong: [source: JsonSchema, place: string][] = [
      [
        { properties: { a: { type: 'integer', default: '1' } } },
        'properties.a.default: must be an',
      ],
      [
        { properties: { a: { items: { properties: { b: { enum: [1], default: 2 } } } } } },
        'properties.a.items.properties.b.…: must be one of 1',
      ],
      [
        { properties: { a: { default: {}, required: ['b'] } } },
        'properties.a.default.b: is missing',
      ],
      [
        {
          properties: { a: { $ref: '#/$defs/few', minimum: 5 } },
          $defs: { few: { type: 'integer', default: 3 } },
        },
        'properties.a.default: must be at least 5',
      ],
    ];
    const few = { properties: { a: { default: 'text' } } };
    for (const others of [
      { allOf: [{ properties: { a: { type: 'integer' } } }] },
      { allOf: [{ patternProperties: { a: { type: 'integer' } } }] },
      { allOf: [{ additionalProperties: { type: 'integer' } }] },
      { patternProperties: { '^a': { type: 'integer' } } },
      { $ref: '#/$defs/b', $defs: { b: { properties: { a: { type: 'integer' } } } } },
    ])
      wrong.push([{ ...few, ...others }, 'properties.a.default: must be an integer']);
    for (const [source, place] of wrong) {
      expect(() => inputSchema(source)).to.throw(
        TypeError,
        `A schema forbids its own default: ${place}`,
      );
    }
    // Which of these apply depends on the other members.
    for (const others of [
      { anyOf: [{ properties: { a: { type: 'integer' } } }, {}] },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      { if: { required: ['b'] }, then: { properties: { a: { type: 'integer' } } } },
      { unevaluatedProperties: false, allOf: [{ properties: { b: {} } }] },
    ])
      inputSchema({ ...few, ...others });
    const dated = { properties: { at: { format: 'date', default: 'today' } } };
    expect(() => outputSchema(dated)).to.throw(TypeError, 'properties.at.default: must have');
    expect(fill(dated, {})).to.deep.equal({ at: 'today' });
  });

  it('are not shared between calls', () => {
    const { check } = inputSchema({ properties: { tags: { default: [] } } });
    const first = check({}) as { value: { tags: string[] } };
    first.value.tags.push('a');
    expect(check({})).to.deep.equal({ value: { tags: [] } });
  });

  it('are not filled in where several forms are possible', () => {
    const source = { anyOf: [{ properties: { a: { default: 1 } } }, {}] };
    expect(fill(source, {})).to.deep.equal({});
  });

  it('do not reach the prototype', () => {
    const source = { properties: JSON.parse('{ "__proto__": { "default": { "evil": 1 } } }') };
    const filled = fill(source, {}) as object;
    expect(Object.getPrototypeOf(filled)).to.equal(Object.prototype);
    expect(Object.keys(filled)).to.deep.equal(['__proto__']);
  });
});

describe('the words for what is wrong', () => {
  it('name the property and what it must be', async () => {
    expect(await refusal(NOTE, {})).to.equal('id: is missing; text: is missing');
    expect(await refusal(NOTE, { id: 5, text: 'abcdef', limit: 101, audience: ['x'] })).to.equal(
      'id: must be a string; text: must have at most 5 characters; limit: must be at most 100; ' +
        'audience.0: must be one of "user", "assistant"',
    );
    expect(await refusal(NOTE, [])).to.equal('must be an object');
  });

  it('name unknown properties and those that are known', async () => {
    const note = { id: 'a', text: 'b' };
    const known = 'this tool takes only: id, text, limit, audience.';
    expect(await refusal(NOTE, { ...note, colour: 1 })).to.equal(
      `Unknown property "colour"; ${known}`,
    );
    const many = Object.fromEntries(Array.from({ length: 7 }, (_, n) => [`${n}"`.repeat(40), 0]));
    const text = await refusal(NOTE, { ...note, ...many });
    const names = Object.keys(many).slice(0, 5);
    expect(text).to.equal(
      `Unknown property ${names.map((name) => JSON.stringify(name.slice(0, 50))).join(', ')}; ` +
        known,
    );
    const nested = { properties: { a: { properties: {}, additionalProperties: false } } };
    expect(await refusal(nested, { a: { b: 1 } })).to.equal(
      'a: Unknown property "b"; the allowed ones are: none.',
    );
  });

  it('are those of the author where the schema has some, which are not published', async () => {
    const source = {
      properties: {
        errorMessage: { type: 'string' },
        base64: {
          type: 'string',
          pattern: '^[A-Z]*$',
          maxLength: 3,
          errorMessage: { pattern: 'Is not base64.', constructor: 'never' },
        },
      },
      required: ['base64'],
      errorMessage: { required: 'Where is it?' },
    };
    expect(await refusal(source, { base64: '!' })).to.equal('base64: Is not base64.');
    expect(await refusal(source, { base64: 'ABCD' })).to.contain('at most 3');
    expect(await refusal(source, {})).to.equal('Where is it?');
    expect(inputSchema(source).jsonSchema).to.deep.equal({
      type: 'object',
      properties: {
        errorMessage: { type: 'string' },
        base64: { type: 'string', pattern: '^[A-Z]*$', maxLength: 3 },
      },
      required: ['base64'],
    });
  });

  it('of the author may be about several forms', async () => {
    const source = {
      anyOf: [{ required: ['id'] }, { required: ['path'] }],
      errorMessage: { anyOf: 'Pass an id or a path.' },
    };
    expect(await refusal(source, {})).to.equal('Pass an id or a path.');
  });

  it('are about the form that comes closest', async () => {
    const form = (kind: string, member: string): JsonSchema => ({
      type: 'object',
      properties: { kind: { const: kind }, [member]: { type: 'string' } },
      required: ['kind', member],
    });
    const source = { properties: { a: { oneOf: [form('x', 'one'), form('y', 'two')] } } };
    expect(await refusal(source, { a: { kind: 'y', two: 2 } })).to.equal('a.two: must be a string');
    expect(await refusal(source, { a: 5 })).to.equal('a: must be an object');
    const simple = { properties: { a: { anyOf: [{ type: 'string' }, { type: 'null' }] } } };
    expect(await refusal(simple, { a: 5 })).to.equal('a: must be a string or must be null');
  });

  it('are short, and never repeat a value', async () => {
    const secret = 'secret'.repeat(20);
    const source = { additionalProperties: { type: 'integer', enum: [1], minimum: 1 } };
    const value = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, n) => [`${n} ignore what\nwas said `.repeat(9), secret]),
    );
    const text = await refusal(source, value);
    expect(text.length).to.be.within(500, 2_000);
    expect(text).not.to.contain('secret');
    expect(text).not.to.contain('\n');
    expect(text).not.to.match(/[^"]{55}": /);
    expect(text).to.match(/^"0 ignore what\\nwas said [^"]*": must be an integer; "1 /);
    const known = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`name${n}`, {}]));
    const wide = { properties: known, additionalProperties: false };
    expect((await refusal(wide, { a: 1 })).length).to.equal(2_000);
  });

  it('say only the beginning of a deep path', () => {
    const path = ['a', 0, Symbol('s'), 'd', 'e', 'f'];
    expect(issuesText([{ path, message: 'is wrong' }])).to.equal('a.0."Symbol(s)".d.e.…: is wrong');
    expect(
      issuesText([
        { path: [], message: 'a' },
        { path: [], message: 'a' },
      ]),
    ).to.equal('a');
  });
});

async function refusal(source: SchemaSource, value: unknown): Promise<string> {
  const checked: Checked = await inputSchema(source).check(value);
  if (!checked.issues) throw new Error('The value is valid.');
  return issuesText(checked.issues);
}

function standardSchema(result: Checked | { issues: object[] }): StandardSchema {
  const jsonSchema = { input: () => ({}), output: () => ({}) };
  const validate = () => result as never;
  return { '~standard': { version: 1, vendor: 'test', validate, jsonSchema } };
}
