import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import * as z from 'zod';
import type {
  InputOf,
  JsonSchema,
  OutputOf,
  SchemaSource,
} from '../../packages/protocol/src/schemas/index.js';

// What is asserted here is asserted by the compiler: see `npm run check`.
describe('the types of a schema', () => {
  it('of plain JSON Schema are inferred from a literal', () => {
    const note = typesOf({
      type: 'object',
      properties: {
        title: { type: 'string', maxLength: 5 },
        limit: { type: 'integer', default: 20 },
        tags: { type: 'array', items: { type: 'string' } },
        parent: { type: ['string', 'null'] },
        audience: { enum: ['user', 'assistant'] },
        kind: { const: 'note' },
        place: {
          type: 'object',
          properties: { x: { type: 'number' }, on: { type: 'boolean', default: true } },
          required: ['x'],
        },
        other: {},
        never: false,
      },
      required: ['title', 'kind'],
      additionalProperties: false,
    });
    type Shared = {
      title: string;
      tags?: string[];
      parent?: string | null;
      audience?: 'user' | 'assistant';
      kind: 'note';
      other?: unknown;
      never?: never;
    };
    same<typeof note.input, Shared & { limit?: number; place?: { x: number; on?: boolean } }>();
    same<typeof note.output, Shared & { limit: number; place?: { x: number; on: boolean } }>();
    // @ts-expect-error An optional property is absent, not undefined.
    const wrong: typeof note.input = { title: '', kind: 'note', tags: undefined };
    void wrong;
  });

  it('are those of each form that is possible', () => {
    const forms = typesOf({
      anyOf: [
        { type: 'object', properties: { a: { const: 1 } }, required: ['a'] },
        { type: 'object', properties: { b: { type: 'boolean' } }, required: ['b'] },
      ],
    });
    same<typeof forms.output, { a: 1 } | { b: boolean }>();
    const choice = typesOf({
      type: 'object',
      properties: { a: { oneOf: [{ type: 'string' }, { type: 'null' }] } },
      anyOf: [{ required: ['a'] }, {}],
    });
    same<typeof choice.output, { a?: string | null }>();
  });

  it('have a value for each other name if there may be others', () => {
    const counts = typesOf({ type: 'object', additionalProperties: { type: 'integer' } });
    same<typeof counts.output, Record<string, number>>();
    const mixed = typesOf({
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a', 'b'],
      additionalProperties: { type: 'integer' },
    });
    same<(typeof mixed.output)['a'], string>();
    same<(typeof mixed.output)['c'], string | number>();
    const open = typesOf({ type: 'object', required: ['a'] });
    same<typeof open.output, { a: unknown } & Record<string, unknown>>();
  });

  it('are unknown where the schema says nothing, or is no literal', () => {
    const tuple = typesOf({ type: 'array', prefixItems: [{ type: 'string' }], items: false });
    same<typeof tuple.output, unknown[]>();
    const reference = typesOf({ $ref: '#/$defs/a', $defs: { a: { type: 'string' } } });
    same<typeof reference.output, unknown>();
    const wide = typesOf({ type: 'object' } as JsonSchema);
    same<typeof wide.output, unknown>();
  });

  it('of a library are its own', () => {
    const ofZod = typesOf(
      z.object({ a: z.string().default('x'), b: z.string().transform(Number) }),
    );
    same<typeof ofZod.input, { a?: string | undefined; b: string }>();
    same<typeof ofZod.output, { a: string; b: number }>();
    const ofValibot = typesOf(toStandardJsonSchema(v.object({ a: v.optional(v.string(), 'x') })));
    same<typeof ofValibot.input, { a?: string | undefined }>();
    same<typeof ofValibot.output, { a: string }>();
    const ofArkType = typesOf(type({ a: 'string', 'b?': 'number' }));
    same<typeof ofArkType.output, { a: string; b?: number }>();
    // @ts-expect-error Valibot's own schemas do not state their JSON Schema.
    typesOf(v.object({ a: v.string() }));
  });
});

/** Nothing at run time: the types of a source, in both directions. */
function typesOf<const Source extends SchemaSource>(
  _source: Source,
): { input: InputOf<Source>; output: OutputOf<Source> } {
  return {} as never;
}

type IsSame<A, B> = [A, B] extends [B, A] ? (IsAny<A> extends IsAny<B> ? true : false) : false;
type IsAny<A> = 0 extends 1 & A ? true : false;

/** Does not compile unless the two types are the same. */
function same<A, B>(..._proof: IsSame<A, B> extends true ? [] : [never]): void {}
