import { expect } from '@esm-bundle/chai';
import { defineTool, McpServer, ToolError, type Tool } from '@inpage-mcp/protocol';
import { type } from 'arktype';
import * as z from 'zod';
import { failureOf } from '../support/failure.js';
import { sdkV1, sdkV2, type AnyClient } from './any-client.js';

const CITY = {
  type: 'object',
  properties: { city: { type: 'string' }, country: { type: 'string', default: 'Italy' } },
  required: ['city', 'country'],
} as const;

/** The same, as a library states it. */
const ZOD_CITY = z.object({ city: z.string(), country: z.string().default('Italy') });

const APART = { one: ['a'], other: [5], closed: { a: 1 }, never: { a: 1 }, some: [1, 2] };

/** What `structuredContent` has to become, by the name of its tool. */
const VALID: { [name: string]: { tool: Tool; sent: unknown } } = {
  plain_default: {
    tool: defineTool({
      name: 'plain_default',
      output: CITY,
      run: () => ({ structuredContent: { city: 'Rome' } }),
    }),
    sent: { city: 'Rome', country: 'Italy' },
  },
  zod_default: {
    tool: defineTool({
      name: 'zod_default',
      output: ZOD_CITY,
      run: () => ({ structuredContent: { city: 'Rome' } }),
    }),
    sent: { city: 'Rome', country: 'Italy' },
  },
  arktype_default: {
    tool: defineTool({
      name: 'arktype_default',
      output: type({ city: 'string', country: 'string = "Italy"' }),
      run: () => ({ structuredContent: { city: 'Rome' } }),
    }),
    sent: { city: 'Rome', country: 'Italy' },
  },
  coerced: {
    tool: defineTool({
      name: 'coerced',
      output: z.object({ count: z.coerce.number() }),
      run: () => ({ structuredContent: { count: '5' } }),
    }),
    sent: { count: 5 },
  },
  unnamed: {
    tool: defineTool({
      name: 'unnamed',
      output: z.object({ city: z.string() }),
      run: () => ({ structuredContent: { city: 'Rome', secret: 'x' } }),
    }),
    sent: { city: 'Rome' },
  },
  unnamed_plain: {
    tool: defineTool({
      name: 'unnamed_plain',
      output: {
        type: 'object',
        properties: {
          city: { type: 'string' },
          owner: { anyOf: [{ $ref: '#/$defs/person' }, { type: 'null' }] },
          visits: { type: 'array', items: { $ref: '#/$defs/person' } },
          counts: { type: 'object' },
          rows: { type: 'array' },
        },
        required: ['city', 'id'],
        patternProperties: { '^x-': {} },
        $defs: { person: { type: 'object', properties: { name: {} } } },
      },
      run: () => ({
        structuredContent: {
          city: 'Rome',
          id: { any: 1 },
          secret: 'x',
          'x-own': 1,
          owner: { name: 'Ann', secret: 'x' },
          visits: [{ name: 'Ben', secret: 'x' }],
          counts: { any: 1 },
          rows: [{ any: 1 }],
        },
      }),
    }),
    sent: {
      city: 'Rome',
      id: { any: 1 },
      'x-own': 1,
      owner: { name: 'Ann' },
      visits: [{ name: 'Ben' }],
      counts: { any: 1 },
      rows: [{ any: 1 }],
    },
  },
  unnamed_forms: {
    tool: defineTool({
      name: 'unnamed_forms',
      output: {
        type: 'object',
        properties: { kind: {} },
        oneOf: [
          { properties: { city: {} }, required: ['city'] },
          { properties: { country: {} }, required: ['country'] },
        ],
      },
      run: () => ({ structuredContent: { kind: 1, country: 'Italy', secret: 'x' } }),
    }),
    sent: { kind: 1, country: 'Italy' },
  },
  unnamed_relatives: {
    tool: defineTool({
      name: 'unnamed_relatives',
      output: {
        type: 'object',
        properties: {
          owner: { anyOf: [{ properties: { name: {} } }, { const: null }] },
          mate: { anyOf: [{ properties: { name: {} } }, { enum: [null] }] },
          rows: { prefixItems: [true], unevaluatedItems: { properties: { name: {} } } },
          loose: { required: ['a'] },
          never: { not: { required: ['a'] } },
          exact: { const: { a: 1 } },
          deep: { properties: { y: { properties: { q: {} } } }, enum: [{ y: { z: 1 } }] },
          user: { allOf: [{ $ref: '#/$defs/user' }, { description: 'the owner' }, true] },
          // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
          team: { if: true, then: {}, properties: { name: {} } },
          any: { anyOf: [{ properties: { name: {} } }, { type: 'object', title: 'any' }] },
          kinds: {
            items: { properties: { id: {} } },
            contains: { properties: { kind: { const: 1 } }, required: ['kind'] },
          },
        },
        $defs: { user: { properties: { name: {} } } },
        dependentRequired: { other: ['third'] },
        dependentSchemas: { fourth: { properties: { fifth: {} } } },
      },
      run: () => ({
        structuredContent: {
          owner: { name: 'Ann', secret: 'x' },
          mate: { name: 'Ben', secret: 'x' },
          rows: [{ any: 1 }, { name: 'Cem', secret: 'x' }],
          loose: { a: 1, b: 2 },
          never: { b: 2 },
          exact: { a: 1 } as const,
          deep: { y: { z: 1 } } as const,
          user: { name: 'Dan', secret: 'x' },
          team: { name: 'Eve', secret: 'x' },
          any: { name: 'Fay', other: 1 },
          kinds: [{ id: 1, kind: 1, secret: 'x' }, { id: 2 }],
          other: 1,
          third: 2,
          fourth: 3,
          fifth: 4,
          secret: 'x',
        },
      }),
    }),
    sent: {
      owner: { name: 'Ann' },
      mate: { name: 'Ben' },
      rows: [{ any: 1 }, { name: 'Cem' }],
      loose: { a: 1, b: 2 },
      never: { b: 2 },
      exact: { a: 1 },
      deep: { y: { z: 1 } },
      user: { name: 'Dan' },
      team: { name: 'Eve' },
      any: { name: 'Fay', other: 1 },
      kinds: [{ id: 1, kind: 1 }, { id: 2 }],
      other: 1,
      third: 2,
      fourth: 3,
      fifth: 4,
    },
  },
  additional: {
    tool: defineTool({
      name: 'additional',
      output: { type: 'object', properties: { city: {} }, additionalProperties: true },
      run: () => ({ structuredContent: { city: 'Rome', other: 1 } }),
    }),
    sent: { city: 'Rome', other: 1 },
  },
  tuples: {
    tool: defineTool({
      name: 'tuples',
      output: {
        type: 'object',
        properties: {
          exact: { type: 'array', prefixItems: [{ type: 'string' }], items: false },
          rest: { prefixItems: [{ type: 'string' }], items: { type: 'integer' } },
          some: { contains: { type: 'null' }, minContains: 0, maxContains: 1 },
        },
      },
      run: () => ({ structuredContent: { exact: ['a'], rest: ['a', 1, 2], some: [1] } }),
    }),
    sent: { exact: ['a'], rest: ['a', 1, 2], some: [1] },
  },
  tuples_apart: {
    tool: defineTool({
      name: 'tuples_apart',
      output: {
        type: 'object',
        properties: {
          one: {
            oneOf: [
              { prefixItems: [{ type: 'string' }], items: false },
              { prefixItems: [{ type: 'number' }], items: false },
              { $ref: '#/$defs/none' },
            ],
          },
          other: { not: { prefixItems: [{ type: 'string' }], items: false } },
          closed: {
            oneOf: [
              { $ref: '#/$defs/a', unevaluatedProperties: false },
              { $ref: '#/$defs/b', unevaluatedProperties: false },
            ],
          },
          never: { not: { dependentRequired: { a: ['b'] } } },
          some: {
            if: { prefixItems: [{ type: 'string' }] },
            // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
            then: { maxItems: 1 },
            else: { minItems: 2 },
          },
        },
        $defs: {
          none: { prefixItems: [false], minItems: 1 },
          a: { properties: { a: {} } },
          b: { properties: { b: {} } },
        },
      },
      run: () => ({ structuredContent: APART }),
    }),
    sent: APART,
  },
  tuples_referred: {
    tool: defineTool({
      name: 'tuples_referred',
      output: {
        type: 'object',
        properties: {
          x: {
            oneOf: [
              { type: 'array', prefixItems: [{ type: 'string' }], items: false },
              { type: 'null' },
            ],
          },
          y: { $ref: '#/properties/x/oneOf/0' },
        },
      },
      run: () => ({ structuredContent: { x: null, y: ['a'] } }),
    }),
    sent: { x: null, y: ['a'] },
  },
  arktype_tuple: {
    tool: defineTool({
      name: 'arktype_tuple',
      output: type({ at: ['number', 'number'] }),
      run: () => ({ structuredContent: { at: [41.9, 12.5] as [number, number] } }),
    }),
    sent: { at: [41.9, 12.5] },
  },
  absent: {
    tool: defineTool({
      name: 'absent',
      output: {
        type: 'object',
        properties: { city: { type: 'string' } },
        additionalProperties: false,
      },
      run: () => ({ structuredContent: { city: 'Rome', note: undefined } as never }),
    }),
    sent: { city: 'Rome' },
  },
  dated: {
    tool: defineTool({
      name: 'dated',
      output: { type: 'object', properties: { day: {} }, additionalProperties: false },
      run: () => ({ structuredContent: { day: new Date(0) } }),
    }),
    sent: { day: '1970-01-01T00:00:00.000Z' },
  },
  failed: {
    tool: defineTool({
      name: 'failed',
      output: CITY,
      run() {
        throw new ToolError('No such city.');
      },
    }),
    sent: undefined,
  },
};

interface Tree {
  name: string;
  below?: Tree[] | undefined;
}
const ZOD_TREE: z.ZodType<Tree> = z.object({
  name: z.string(),
  get below() {
    return z.array(ZOD_TREE).optional();
  },
});
const FOREST = [{ name: 'Oak', below: [{ name: 'Branch' }] }, { name: 'Elm' }];

/** Outputs that are no objects, whose schemas refer to parts of themselves. */
const LISTS: Tool[] = [
  defineTool({
    name: 'defined',
    output: {
      type: 'array',
      items: { $ref: '#/$defs/tree' },
      $defs: {
        tree: {
          type: 'object',
          properties: {
            name: { type: 'string' },
            below: { type: 'array', items: { $ref: '#/$defs/tree' } },
          },
          required: ['name'],
          additionalProperties: false,
        },
      },
    },
    run: () => ({ structuredContent: FOREST }),
  }),
  defineTool({
    name: 'whole',
    output: {
      items: {
        type: 'object',
        properties: { name: { type: 'string' }, below: { $ref: '#' } },
        required: ['name'],
      },
    },
    run: () => ({ structuredContent: FOREST }),
  }),
  defineTool({
    name: 'with_id',
    output: {
      $id: 'https://example.com/forest',
      items: { $ref: '#/$defs/tree' },
      $defs: { tree: { type: 'object', required: ['name'] } },
    },
    run: () => ({ structuredContent: FOREST }),
  }),
  defineTool({
    name: 'zod',
    output: z.array(ZOD_TREE),
    run: () => ({ structuredContent: FOREST }),
  }),
];

/** `true` and `false` are schemas, but not of each client. */
const LOOSE = defineTool({
  name: 'loose',
  input: { type: 'object', properties: { anything: true, nothing: false } },
  output: { type: 'object', properties: { anything: true, nothing: false } },
  run: (input) => ({ structuredContent: input }),
});

const TEXT = 'Nowhere.' as never;

/** What no client could accept, and the reason that the server gives. */
const INVALID: { [name: string]: { run: () => never; says: string } } = {
  text: { run: () => TEXT, says: 'structuredContent: is missing' },
  content_only: {
    run: () => ({ content: [{ type: 'text', text: 'Nowhere.' }] }) as never,
    says: 'structuredContent: is missing',
  },
  wrong_failure: {
    run: () => ({ isError: true, structuredContent: { city: 5 } }) as never,
    says: 'structuredContent: city: must be a string',
  },
  nothing: { run: () => undefined as never, says: 'expected a text or an object' },
  list: { run: () => ['Rome'] as never, says: 'expected a text or an object' },
};

/** What JSON does not have, although the schema allows it. */
const NOT_JSON: { [name: string]: { tool: Tool; says: string } } = {
  plain_date: {
    tool: defineTool({
      name: 'plain_date',
      output: { type: 'object', properties: { day: { type: 'object' } } },
      run: () => ({ structuredContent: { day: new Date(0) as never } }),
    }),
    says: 'structuredContent: day: must be an object',
  },
  arktype_infinity: {
    tool: defineTool({
      name: 'arktype_infinity',
      output: type({ count: 'number' }),
      run: () => ({ structuredContent: { count: Infinity } }),
    }),
    says: 'structuredContent: is not JSON: count is Infinity',
  },
  bigint: {
    tool: defineTool({
      name: 'bigint',
      output: { type: 'object', properties: { count: {} } },
      run: () => ({ structuredContent: { count: 5n } }),
    }),
    says: 'structuredContent: is not JSON: ',
  },
  without_schema: {
    tool: defineTool({
      name: 'without_schema',
      run: () => ({ structuredContent: { count: 5n } }),
    }),
    says: 'structuredContent: is not JSON: ',
  },
  without_value: {
    tool: defineTool({
      name: 'without_value',
      output: {},
      run: () => ({ structuredContent: (() => 'never') as never }),
    }),
    says: 'structuredContent: is not JSON: function',
  },
};

/** What only clients refuse, after the tool has run. */
const STRICTER: { [name: string]: { tool: Tool; says: string } } = {
  plain_format: {
    tool: defineTool({
      name: 'plain_format',
      output: { type: 'object', properties: { at: { type: 'string', format: 'date-time' } } },
      run: () => ({ structuredContent: { at: '2026-07-28' } }),
    }),
    says: 'structuredContent: at: must have the format date-time',
  },
  zod_format: {
    tool: defineTool({
      name: 'zod_format',
      output: z.object({ at: z.url() }),
      run: () => ({ structuredContent: { at: 'https://example.com/ü' } }),
    }),
    says: 'structuredContent: at: must have the format uri',
  },
  fraction: {
    tool: defineTool({
      name: 'fraction',
      output: { type: 'object', properties: { price: { type: 'number', multipleOf: 0.01 } } },
      run: () => ({ structuredContent: { price: 19.99 } }),
    }),
    says: 'structuredContent: price: must be a multiple of 0.01: clients ask that value / 0.01 is',
  },
};

const tools = [
  ...LISTS,
  ...Object.values(STRICTER).map(({ tool }) => tool),
  LOOSE,
  ...Object.values(NOT_JSON).map(({ tool }) => tool),
  ...Object.values(VALID).map(({ tool }) => tool),
  ...Object.entries(INVALID).map(([name, { run }]) => defineTool({ name, output: CITY, run })),
];

const CLIENTS: [name: string, connect: (port: MessagePort) => Promise<AnyClient>][] = [
  ['v2, of 2026-07-28', (port) => sdkV2(port, 'auto')],
  ['v2, of 2025-06-18', (port) => sdkV2(port, 'legacy', '2025-06-18')],
  ['v1', (port) => sdkV1(port)],
];

for (const [name, connect] of CLIENTS) {
  describe(`the structured content of a tool, for the official client ${name},`, () => {
    let client: AnyClient;

    before(async () => {
      const { port1, port2 } = new MessageChannel();
      new McpServer({ name: 'outputs', version: '1' }, { tools }).serve(port2);
      client = await connect(port1);
      // From now on the client checks each result against the schema of its tool.
      await client.listTools();
    });

    after(() => client.close());

    for (const [tool, { sent }] of Object.entries(VALID)) {
      it(`is what the check has made of it (${tool})`, async () => {
        const result = await client.callTool(tool);
        expect(result.structuredContent).to.deep.equal(sent);
        const [{ text = '' } = {}] = result.content;
        if (sent !== undefined) expect(JSON.parse(text)).to.deep.equal(sent);
      });
    }

    for (const { name: tool } of LISTS) {
      it(`is a list whose schema refers to itself (${tool})`, async () => {
        const { structuredContent } = await client.callTool(tool);
        expect(structuredContent).to.deep.equal(
          client.protocolVersion === '2026-07-28' ? FOREST : { result: FOREST },
        );
      });
    }

    it('may have properties of the schemas true and false', async () => {
      const args = { anything: [1] };
      expect((await client.callTool('loose', args)).structuredContent).to.deep.equal(args);
      expect(await client.callTool('loose', { nothing: 1 })).to.include({ isError: true });
    });

    for (const [tool, { says }] of Object.entries({ ...INVALID, ...NOT_JSON, ...STRICTER })) {
      it(`is refused by the server where it is not valid (${tool})`, async () => {
        const error = await failureOf(client.callTool(tool));
        expect(error).to.include({ code: -32603 });
        expect(String(error)).to.contain(`Invalid result of tools/call: ${says}`);
      });
    }
  });
}
