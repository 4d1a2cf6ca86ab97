import { isObject } from '../wire/is-object.js';
import { schemaError } from './issues-text.js';
import { subschemas, type Path } from './subschemas.js';
import type { JsonSchema } from './types.js';

/**
 * The base of a schema without `$id`. The base of a worker cannot be used: it may be a `blob:` URL.
 */
const DEFAULT_BASE = 'schema://root/';

/** The schema `true` as an object. */
const ANYTHING: JsonSchema = {};

/** Resolves the references in a schema. They never lead out of it: nothing is fetched. */
export class References {
  /** The schemas in the root schema, with their paths. */
  readonly places = new Map<JsonSchema, Path>();
  readonly #bases = new Map<unknown, string>();
  readonly #schemas = new Map<string, unknown>();
  /** The results of {@link inPlace}, which is called for each value of an output. */
  readonly #applied = new Map<JsonSchema, unknown[]>();

  /**
   * Collects the schemas in a root schema. Those of {@link addTargets} are still missing.
   *
   * @throws TypeError, with the place, for an `$id` that is not a URI reference.
   */
  constructor(root: unknown) {
    this.#schemas.set(DEFAULT_BASE, root);
    this.#add(root, []);
  }

  /**
   * Adds the targets of references that are not in the place of a schema.
   *
   * @param check Called with each of them before it is added.
   */
  addTargets(check: (target: JsonSchema, path: Path) => void = () => undefined): void {
    // More are added while this loop runs.
    for (const [schema, path] of this.places) {
      const { $ref } = schema;
      if (typeof $ref !== 'string') continue;
      const target = this.target($ref, schema) as JsonSchema;
      if (this.places.has(target)) continue;
      const place = [...path, '$ref'];
      check(target, place);
      this.#add(target, place);
    }
  }

  #add(schema: unknown, path: Path, outerBase = DEFAULT_BASE): void {
    if (!isObject(schema)) return;
    const { $id, $anchor } = schema;
    const base = typeof $id === 'string' ? withoutHash(urlOf($id, outerBase) ?? '') : outerBase;
    if (base === '') throw schemaError([...path, '$id'], 'is not a URI reference');
    this.places.set(schema, path);
    this.#bases.set(schema, base);
    if (base !== outerBase) this.#schemas.set(base, schema);
    if (typeof $anchor === 'string') this.#schemas.set(`${base}#${$anchor}`, schema);
    for (const [subschema, inner] of subschemas(schema)) {
      this.#add(subschema, [...path, ...inner], base);
    }
  }

  /**
   * The target of a `$ref` in the schema `from`.
   *
   * @throws TypeError, with the place, if it is not a schema, or does not exist in the root schema.
   */
  target(reference: string, from: JsonSchema): unknown {
    const found = this.#find(urlOf(reference, this.#bases.get(from) ?? DEFAULT_BASE));
    if (isObject(found) || typeof found === 'boolean') return found;
    const problem = found === undefined ? 'does not exist' : 'is not a schema';
    const target = `its target ${JSON.stringify(reference)} ${problem}`;
    throw schemaError([...(this.places.get(from) ?? []), '$ref'], target);
  }

  /**
   * The given schemas, with all schemas that they apply to the same value, whether or not the value has to
   * pass them, except for those in `not`.
   */
  withInPlace(schemas: readonly unknown[]): JsonSchema[] {
    const found = new Set<JsonSchema>();
    const add = (schema: unknown): void => {
      if (schema === true) found.add(ANYTHING);
      if (!isObject(schema) || found.has(schema)) return;
      found.add(schema);
      for (const one of this.inPlace(schema)) if (one !== schema['not']) add(one);
    };
    schemas.forEach(add);
    return [...found];
  }

  /** A schema, with all schemas that each value which it accepts has to pass. */
  alwaysInPlace(schema: unknown): JsonSchema[] {
    if (!isObject(schema)) return [];
    const { $ref, allOf = [] } = schema;
    const target = typeof $ref === 'string' ? [this.target($ref, schema)] : [];
    const others = [...target, ...(allOf as readonly unknown[])];
    return [schema, ...others.flatMap((one) => this.alwaysInPlace(one))];
  }

  /** The schemas that a schema applies to the same value. */
  inPlace(schema: JsonSchema): unknown[] {
    const known = this.#applied.get(schema);
    if (known) return known;
    const { $ref, allOf, anyOf, oneOf, not, if: condition, then, else: other } = schema;
    const target = typeof $ref === 'string' ? this.target($ref, schema) : undefined;
    const dependent = Object.values((schema['dependentSchemas'] ?? {}) as JsonSchema);
    const applied = [target, allOf, anyOf, oneOf, not, condition, then, other, dependent]
      .flat()
      .filter((one) => one !== undefined);
    this.#applied.set(schema, applied);
    return applied;
  }

  #find(href: string | undefined): unknown {
    if (href === undefined) return undefined;
    const base = withoutHash(href);
    const hash = href.slice(base.length);
    if (hash.startsWith('#/')) return atPointer(this.#schemas.get(base), hash);
    return this.#schemas.get(hash === '' || hash === '#' ? base : href);
  }
}

function urlOf(reference: string, base: string): string | undefined {
  try {
    return new URL(reference, base).href;
  } catch {
    return undefined;
  }
}

function withoutHash(href: string): string {
  return href.replace(/#.*/s, '');
}

function atPointer(root: unknown, hash: string): unknown {
  let found = root;
  for (const step of textOf(hash.slice(2)).split('/')) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<string, unknown>)[key];
  }
  return found;
}

/** Decodes a text. A text that is not encoded stays as it is. */
function textOf(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
