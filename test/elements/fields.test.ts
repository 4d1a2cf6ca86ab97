import { expect } from '@esm-bundle/chai';
// Internal: what a schema becomes is a matter of many cases.
import { createEntry, valueOf, type Entry } from '../../packages/elements/src/fields/form/entry.js';
import type { Field, GroupField } from '../../packages/elements/src/fields/schema/field.js';
import { problemOf } from '../../packages/elements/src/fields/form/problem.js';
import { readSchema } from '../../packages/elements/src/fields/schema/read-schema.js';
import { writeJson } from '../../packages/elements/src/base/text/json-text.js';
import { manyHoles } from '../support/holes.js';
import { leastTime } from '../support/slowness.js';

/** The field of a property with a schema. */
function fieldOf(schema: unknown, root: object = {}): Field {
  const form = readSchema({ type: 'object', properties: { one: schema }, ...root }) as GroupField;
  return form.children[0]!;
}

const entryOf = (schema: unknown, value?: unknown): Entry => createEntry(fieldOf(schema), value);

describe('the fields of a form', () => {
  const kinds: [schema: object, kind: string, control?: string][] = [
    [{ type: 'string' }, 'text', 'lines'],
    [{ type: 'string', maxLength: 50 }, 'text', 'line'],
    [{ type: 'string', maxLength: 5_000 }, 'text', 'lines'],
    [{ type: 'string', format: 'email' }, 'text', 'email'],
    [{ type: 'string', format: 'uri' }, 'text', 'url'],
    [{ type: 'string', format: 'date' }, 'text', 'date'],
    [{ type: 'string', format: 'date-time' }, 'text', 'date-time'],
    [{ type: 'string', format: 'toString' }, 'text', 'line'],
    [{ type: 'number' }, 'number'],
    [{ type: 'integer' }, 'number'],
    [{ type: 'boolean', default: false }, 'flag'],
    [{ type: 'boolean' }, 'choice'],
    [{ enum: ['a', 1, null] }, 'choice'],
    [{ const: 'a' }, 'choice'],
    [{ oneOf: [{ const: 'a', title: 'A' }] }, 'choice'],
    [{ type: 'array', items: { enum: ['a'] } }, 'choices'],
    [{ type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } }, 'choices'],
    [{ type: 'array', items: { type: 'string' } }, 'list'],
    [{ type: 'array', items: { type: 'object', properties: {} } }, 'list'],
    [{ type: 'object', properties: {} }, 'group'],
    [{ properties: {} }, 'group'],
    [{ type: 'object', additionalProperties: { type: 'string' } }, 'json'],
    [{ type: 'array' }, 'json'],
    [{ type: 'array', prefixItems: [{ type: 'string' }], items: {} }, 'json'],
    [{ type: ['string', 'number'] }, 'union'],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, 'union'],
    [{ enum: [{ a: 1 }] }, 'json'],
    [{ enum: Array.from({ length: 501 }, String) }, 'json'],
    [{}, 'json'],
  ];
  for (const [schema, kind, control] of kinds) {
    it(`show ${JSON.stringify(schema).slice(0, 80)} as ${control ?? kind}`, () => {
      const field = fieldOf(schema);
      expect(field.kind).to.equal(kind);
      if (field.kind === 'text') expect(field.control).to.equal(control);
    });
  }

  it('follow references inside the schema, and what stands beside a reference', () => {
    const $defs = { 'a/b': { type: 'integer', title: 'There', description: 'From there' } };
    const field = fieldOf({ $ref: '#/$defs/a~1b', title: 'Here' }, { $defs });
    expect(field).to.include({ kind: 'number', title: 'Here', description: 'From there' });
  });

  it('keep the choices next to a list of one schema', () => {
    const oneOf = ['a', 'b'].map((value) => ({ const: value, title: value.toUpperCase() }));
    const field = fieldOf({ type: 'string', allOf: [{ minLength: 1 }], oneOf });
    expect(field).to.have.property('kind', 'choice');
  });

  it('never follow references to other documents', () => {
    expect(fieldOf({ $ref: 'https://evil.example/schema.json' }).kind).to.equal('json');
  });

  it('say of null that it is a value of its own', () => {
    for (const schema of [
      { type: ['string', 'null'] },
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
      { type: 'string', nullable: true },
    ])
      expect(fieldOf(schema)).to.include({ kind: 'text', isNullable: true });
  });

  it('take titles of values from enumNames and from const', () => {
    const titles = (schema: object): string[] => {
      const field = fieldOf(schema);
      return 'options' in field ? field.options.map(({ title }) => title) : [];
    };
    expect(titles({ enum: ['a', 'b'], enumNames: ['Alpha'] })).to.deep.equal(['Alpha', 'b']);
    expect(titles({ oneOf: [{ const: 'a', title: 'Alpha' }] })).to.deep.equal(['Alpha']);
  });

  it('end where a schema contains itself, in a few milliseconds', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`p${index}`, { $ref: '#' }]),
    );
    let form!: GroupField;
    const least = await leastTime(100, () => {
      form = readSchema({ type: 'object', properties }) as GroupField;
    });
    expect(least).to.be.below(100);
    expect(JSON.stringify(form.children[0])).to.contain('"kind":"json"');
  });

  it('are no fields for references in a circle', () => {
    const $defs = { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } };
    expect(fieldOf({ $ref: '#/$defs/a' }, { $defs }).kind).to.equal('json');
  });

  it('are JSON from where their choices would be too many', () => {
    const one = { enum: Array.from({ length: 250 }, String) };
    const properties = { a: one, b: one, c: one };
    const { children } = readSchema({ properties }) as GroupField;
    expect(children.map(({ kind }) => kind)).to.deep.equal(['choice', 'choice', 'json']);
  });

  it('are one field of JSON where there would be more than 60', () => {
    const kindOf = (length: number): string => {
      const properties = Array.from({ length }, (_, index) => [`p${index}`, { type: 'string' }]);
      return readSchema({ type: 'object', properties: Object.fromEntries(properties) }).kind;
    };
    expect([60, 61].map(kindOf)).to.deep.equal(['group', 'json']);
  });

  it('are JSON from the seventh level on', () => {
    const nested = (levels: number): object =>
      levels === 0
        ? { type: 'string' }
        : { type: 'object', properties: { inner: nested(levels - 1) } };
    const kindsOf = (field: Field): string[] =>
      field.kind === 'group' ? ['group', ...field.children.flatMap(kindsOf)] : [field.kind];
    const six = Array.from({ length: 6 }, () => 'group');
    expect(kindsOf(readSchema(nested(6)))).to.deep.equal([...six, 'text']);
    expect(kindsOf(readSchema(nested(7)))).to.deep.equal([...six, 'json']);
  });

  it('have one line for at most 200 characters', () => {
    const controlOf = (maxLength: number): unknown =>
      (fieldOf({ type: 'string', maxLength }) as { control?: unknown }).control;
    expect([200, 201].map(controlOf)).to.deep.equal(['line', 'lines']);
  });

  it('are choices of at most 500 values', () => {
    const kindOf = (length: number): string =>
      fieldOf({ enum: Array.from({ length }, String) }).kind;
    expect([500, 501].map(kindOf)).to.deep.equal(['choice', 'json']);
  });

  it('keep the schema of a value that they cannot show', () => {
    const entry = entryOf({ enum: ['a', 'b'] }, 'c');
    expect(entry.field.kind).to.equal('json');
    expect(entry.field.schema).to.deep.equal({ enum: ['a', 'b'] });
  });

  const HOSTILE: unknown[] = [
    undefined,
    null,
    7,
    'string',
    [],
    { type: 'object', properties: null },
    { type: 'object', properties: { a: null, b: 7, c: [], d: { type: {} } } },
    { type: 'object', properties: { a: { type: 'string', title: {}, description: [] } } },
    { type: 'object', properties: { a: { type: 'string', pattern: '(' } } },
    { type: 'object', properties: { a: { type: 'number', minimum: NaN, maximum: 'x' } } },
    { type: 'object', properties: { a: { enum: manyHoles() } }, required: manyHoles() },
    { type: 'object', properties: { a: { enum: [] }, b: { oneOf: [null, 7] } } },
    { type: 'object', properties: JSON.parse('{"__proto__": {"type": "string"}}') as object },
    { type: 'object', properties: { a: { $ref: '#/__proto__/constructor' } } },
    { type: 'object', properties: { a: { $ref: '#/%' } } },
    { type: 'object', properties: { a: { type: 'integer', default: 2n ** 70n } } },
  ];
  for (const [index, schema] of HOSTILE.entries()) {
    it(`stand for whatever a server calls a schema (${index})`, async () => {
      const least = await leastTime(100, () => {
        const entry = createEntry(readSchema(schema));
        valueOf(entry);
        problemOf(entry);
      });
      expect(least).to.be.below(100);
    });
  }

  it('keep a property with the name __proto__ as a property', () => {
    const schema: unknown = JSON.parse('{"properties": {"__proto__": {"type": "string"}}}');
    const value: unknown = JSON.parse('{"__proto__": "a text"}');
    const entry = createEntry(readSchema(schema), value);
    expect(JSON.stringify(valueOf(entry))).to.equal('{"__proto__":"a text"}');
  });
});

describe('the value of a field', () => {
  const same: [schema: object, value: unknown][] = [
    [{ type: 'string' }, 'several\nlines'],
    [{ type: 'string', maxLength: 50 }, 'one line'],
    [{ type: 'string', maxLength: 50 }, 'two lines\nin a field of one'],
    [{ type: 'string' }, 'a return\r'],
    [{ type: 'string', format: 'date' }, '2026-11-24'],
    [{ type: 'string', format: 'date-time' }, '2026-11-24T08:30:00.000Z'],
    [{ type: 'string', format: 'date-time' }, 'not a date'],
    [{ type: 'string', format: 'date-time' }, '2026-11-24T08:30:00.123Z'],
    [{ type: 'string', format: 'date-time' }, '2026-11-24T08:30:00.123456Z'],
    [{ type: 'string', format: 'date' }, '24 November'],
    [{ type: 'string', format: 'date-time' }, '+275760-09-13T00:00:00.000Z'],
    [{ type: 'string', format: 'date-time' }, '-271821-04-20T00:00:00.000Z'],
    [{ type: 'array', prefixItems: [{ type: 'string' }] }, ['a', 1]],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, 7],
    [{ type: ['string', 'number', 'null'] }, 'x'],
    [{ type: 'object', additionalProperties: { type: 'string' } }, { any: 'name' }],
    [{ type: 'array', items: { type: 'array', items: { type: 'integer' } } }, [[1], [2, 3]]],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, null],
    [{ type: 'number' }, 0.1],
    [{ type: 'number' }, 'not a number'],
    [{ type: ['number', 'null'] }, null],
    [{ type: 'boolean' }, false],
    [{ type: 'boolean', default: true }, false],
    [{ enum: ['a', 'b'] }, 'b'],
    [{ enum: ['a', 'b'] }, 'c'],
    [{ enum: ['a', null] }, null],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, ['b']],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, ['b', 'b']],
    [{ type: 'array', items: { type: 'string' } }, ['a', 'a']],
    [{ type: 'array', items: { type: 'string' } }, Array.from({ length: 101 }, String)],
    [
      { type: 'object', properties: { a: { type: 'string' } } },
      { a: 'x', other: [1] },
    ],
    [{}, { any: ['thing'] }],
  ];
  for (const [schema, value] of same) {
    it(`stays ${JSON.stringify(value).slice(0, 60)} in ${JSON.stringify(schema)}`, () => {
      expect(valueOf(entryOf(schema, value))).to.deep.equal(value);
    });
  }

  it('is JSON where its control would show no date', () => {
    const days = ['2026-02-30', '2026-99-99', '0000-01-01'];
    const moments = ['+275760-09-13T00:00:00Z', '-271821-04-20T00:00:00Z', '+012345-01-01T12:00Z'];
    const entries = [
      ...days.map((day) => entryOf({ type: 'string', format: 'date' }, day)),
      ...moments.map((moment) => entryOf({ type: 'string', format: 'date-time' }, moment)),
    ];
    expect(entries.map(({ field }) => field.kind)).to.deep.equal(entries.map(() => 'json'));
    expect(entries.map(valueOf)).to.deep.equal([...days, ...moments]);
  });

  it('is absent where an optional field is empty', () => {
    for (const schema of [
      { type: 'string' },
      { type: 'integer' },
      { enum: ['a'] },
      { type: 'array', items: { type: 'string' } },
      { type: 'object', properties: { a: { type: 'string' } } },
      {},
    ])
      expect(valueOf(entryOf(schema))).to.equal(undefined);
  });

  it('is the default of the schema', () => {
    expect(valueOf(entryOf({ type: 'integer', default: 7 }))).to.equal(7);
  });

  it('is absent where null is the default of an optional field, so that the user can type', () => {
    const entry = entryOf({ type: ['string', 'null'], default: null });
    expect(entry.isNull).to.equal(false);
    expect(valueOf(entry)).to.equal(undefined);
  });

  it('is null where null is the default of a required field', () => {
    const schema = { type: ['string', 'null'], default: null };
    const form = createEntry(readSchema({ properties: { one: schema }, required: ['one'] }));
    expect(valueOf(form)).to.deep.equal({ one: null });
  });

  it('is an empty text where the field is required', () => {
    const schema = { type: 'string', minLength: 0 };
    const form = createEntry(readSchema({ properties: { one: schema }, required: ['one'] }));
    expect(valueOf(form)).to.deep.equal({ one: '' });
  });

  it('is what the user has entered, beside the members that have no field', () => {
    const form = createEntry(readSchema({ properties: { one: { type: 'string' } } }), {
      one: 'before',
      more: 1,
    });
    const [one] = (form as { children: readonly { text?: string }[] }).children;
    one!.text = 'after';
    expect(valueOf(form)).to.deep.equal({ one: 'after', more: 1 });
  });

  it('leaves out defaults from where they have more than 10,000 characters together', () => {
    const one = { type: 'string', default: 'x'.repeat(4_998) };
    const properties = { a: one, b: one, c: { type: 'string', default: '' } };
    const value = valueOf(createEntry(readSchema({ type: 'object', properties })));
    expect(Object.keys(value as object)).to.deep.equal(['a', 'b']);
  });

  it('is a list of at most 100 entries, or else JSON', () => {
    const schema = { type: 'array', items: { type: 'string' } };
    const kindOf = (length: number): string =>
      entryOf(schema, Array.from({ length }, String)).field.kind;
    expect([100, 101].map(kindOf)).to.deep.equal(['list', 'json']);
  });

  it('is JSON of at most 1,000,000 characters, or else no value', () => {
    const entryWith = (length: number): Entry => entryOf({}, 'x'.repeat(length - 2));
    const [whole, cut] = [entryWith(1_000_000), entryWith(1_000_001)];
    expect(valueOf(whole)).to.equal('x'.repeat(999_998));
    expect('text' in cut && cut.text).to.have.length(1_000_000);
    expect(valueOf(cut)).to.equal(undefined);
  });

  it('is JSON where its fields would be too many', () => {
    const schema = {
      type: 'array',
      items: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } },
    };
    const value = Array.from({ length: 100 }, () => ({ a: '1' }));
    const entry = entryOf(schema, value);
    expect(entry.field.kind).to.equal('json');
    expect(valueOf(entry)).to.deep.equal(value);
    expect(entryOf(schema, value.slice(0, 60)).field.kind).to.equal('list');
  });

  it('is in the first of several schemas whose fields show all of it', () => {
    const shape = (name: string): object => ({
      type: 'object',
      properties: { [name]: { type: 'number' } },
      required: [name],
    });
    const schema = {
      anyOf: [shape('radius'), shape('width'), { ...shape('width'), required: [] }],
    };
    const chosen = (value: object): unknown =>
      (entryOf(schema, value) as { chosen: unknown }).chosen;
    expect([{ radius: 1 }, { width: 2 }, {}].map(chosen)).to.deep.equal([0, 1, 2]);
    for (const value of [{ radius: 'wide' }, { radius: 1, width: 2 }])
      expect(entryOf(schema, value).field.kind).to.equal('json');
  });

  it('has the items that a list must have', () => {
    const schema = { type: 'array', items: { type: 'string' }, minItems: 2 };
    const form = readSchema({ properties: { one: schema }, required: ['one'] });
    const [list] = (createEntry(form) as { children: readonly Entry[] }).children;
    expect(list).to.have.property('items').with.length(2);
  });
});

describe('the problem of a value', () => {
  const problem = (schema: object, value: unknown): string | undefined =>
    problemOf(entryOf(schema, value));
  const typed = (schema: object, text: string): string | undefined => {
    const entry = entryOf(schema);
    return problemOf({ ...entry, text } as Entry);
  };

  const cases: [schema: object, value: unknown, problem: string][] = [
    [{ type: 'string', minLength: 3 }, 'ab', 'This is too short. Minimum length: 3'],
    [
      { type: 'string', maxLength: 3 },
      'abcd',
      'This is too long. Maximum length: 3. Length now: 4',
    ],
    [{ type: 'number', minimum: 0.0001 }, 0, 'Enter 0.0001 or more.'],
    [{ type: 'number', maximum: 1 }, 2, 'Enter 1 or less.'],
    [{ type: 'number', exclusiveMinimum: 0 }, 0, 'Enter more than 0.'],
    [{ type: 'number', exclusiveMaximum: 1 }, 1, 'Enter less than 1.'],
    [{ type: 'number', multipleOf: 0.1 }, 0.25, 'Enter a multiple of 0.1.'],
    [{ type: 'integer' }, 1.5, 'Enter a whole number.'],
    [{ type: 'integer' }, 2 ** 60, 'This number has too many digits.'],
    [
      { type: 'array', items: { enum: ['a', 'b'] }, minItems: 2 },
      ['a'],
      'More entries are needed. Minimum: 2',
    ],
    [
      { type: 'array', items: { type: 'string' }, maxItems: 1 },
      ['a', 'b'],
      'There are too many entries. Maximum: 1',
    ],
    [
      { type: 'array', items: { type: 'string' }, uniqueItems: true },
      ['a', 'a'],
      'Each entry must be different.',
    ],
  ];
  for (const [schema, value, text] of cases) {
    it(`is “${text}”`, () => {
      expect(problem(schema, value)).to.equal(text);
    });
  }

  const atBounds: [schema: object, value: unknown][] = [
    [{ type: 'string', minLength: 2, maxLength: 2 }, 'ab'],
    [{ type: 'number', minimum: 2, maximum: 2 }, 2],
    [{ type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 2 }, ['a', 'b']],
  ];
  for (const [schema, value] of atBounds) {
    it(`is none for ${JSON.stringify(value)}, just within its bounds`, () => {
      expect(problem(schema, value)).to.equal(undefined);
    });
  }

  it('counts characters as JSON Schema does, not code units', () => {
    expect(problem({ type: 'string', maxLength: 2 }, '🐎🐎')).to.equal(undefined);
    expect(problem({ type: 'string', minLength: 3 }, '🐎🐎')).to.contain('too short');
  });

  it('does not mind 0.3 as a multiple of 0.1', () => {
    expect(problem({ type: 'number', multipleOf: 0.1 }, 0.3)).to.equal(undefined);
  });

  it('is what is wrong in JSON', () => {
    expect(typed({}, '{"a": }')).to.match(/^This is not valid JSON: .+/);
    expect(typed({}, '{"a": 1}')).to.equal(undefined);
  });

  it('is a number that JavaScript would change', () => {
    for (const text of ['12345678901234567890', '9007199254740993', '0.10000000000000000055'])
      expect(typed({ type: 'number' }, text), text).to.equal('This number has too many digits.');
    for (const text of [
      '0.1',
      '1e21',
      '-0.50',
      '100000',
      '5e-324',
      '007',
      '0',
      '-0',
      '1.7976931348623157e308',
    ])
      expect(typed({ type: 'number' }, text), text).to.equal(undefined);
  });

  it('is none for null where null is a value', () => {
    expect(problem({ type: ['string', 'null'], minLength: 3 }, null)).to.equal(undefined);
  });
});

describe('writeJson', () => {
  it('writes what JSON.stringify writes', () => {
    const value = { a: [1, 'two', null, { b: true }], c: {}, d: [], e: '"\n', f: undefined };
    expect(writeJson(value, 1_000).text).to.equal(JSON.stringify(value, undefined, 2));
    expect(writeJson(value, 1_000, 0).text).to.equal(JSON.stringify(value));
  });

  it('cuts what is too long, and says so', () => {
    expect(writeJson(['x'.repeat(100)], 10)).to.include({ isWhole: false });
    expect(writeJson(['x'.repeat(100)], 10).text).to.have.length(10);
  });

  it('ends with values that contain themselves, that have no end, or that JSON does not have', async () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    for (const value of [circle, manyHoles(), 2n ** 70n, new Map(), new Date(NaN), NaN]) {
      const least = await leastTime(50, () => {
        expect(writeJson(value, 1_000).text.length).to.be.at.most(1_000);
      });
      expect(least).to.be.below(50);
    }
  });
});
