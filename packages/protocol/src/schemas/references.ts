import { isObject } from '../wire/is-object.js';
import { subschemas } from './subschemas.js';

/**
 * The base of a schema without `$id`. The base of a worker cannot be used: it may be a `blob:` URL.
 */
const DEFAULT_BASE = 'schema://root/';

/** Resolves the references in a schema. They never leave it: nothing is fetched. */
export class References {
  readonly #bases = new Map<unknown, string>();
  readonly #schemas = new Map<string, unknown>();

  constructor(root: unknown) {
    this.#schemas.set(DEFAULT_BASE, root);
    this.#index(root, DEFAULT_BASE);
  }

  /**
   * The target of a `$ref` in the schema `from`.
   *
   * @throws TypeError if it does not exist in the root schema.
   */
  target(reference: string, from: unknown): unknown {
    const { href, hash } = new URL(reference, this.#bases.get(from) ?? DEFAULT_BASE);
    const found = hash.startsWith('#/')
      ? atPointer(this.#schemas.get(withoutHash(href)), hash)
      : this.#schemas.get(hash === '' ? withoutHash(href) : href);
    if (found === undefined) {
      throw new TypeError(`The target of $ref ${JSON.stringify(reference)} does not exist.`);
    }
    return found;
  }

  /** Schemas, with all that are applied to the same value as one of them, whether or not it has to pass. */
  withInPlace(schemas: readonly unknown[]): JsonSchema[] {
    const found = new Set<JsonSchema>();
    const add = (schema: unknown): void => {
      if (schema === true) found.add({});
      if (!isObject(schema) || found.has(schema)) return;
      found.add(schema);
      this.inPlace(schema).forEach(add);
    };
    schemas.forEach(add);
    return [...found];
  }

  /** The schemas that a schema applies to the same value. */
  inPlace(schema: JsonSchema): unknown[] {
    const { $ref, allOf, anyOf, oneOf, not, if: condition, then, else: other } = schema;
    const target = typeof $ref === 'string' ? this.target($ref, schema) : undefined;
    const dependent = Object.values((schema['dependentSchemas'] ?? {}) as JsonSchema);
    return [target, allOf, anyOf, oneOf, not, condition, then, other, dependent]
      .flat()
      .filter((applied) => applied !== undefined);
  }

  #index(schema: unknown, outerBase: string): void {
    if (!isObject(schema)) return;
    const { $id, $anchor } = schema;
    const base = typeof $id === 'string' ? withoutHash(new URL($id, outerBase).href) : outerBase;
    this.#bases.set(schema, base);
    if (base !== outerBase) this.#schemas.set(base, schema);
    if (typeof $anchor === 'string') this.#schemas.set(`${base}#${$anchor}`, schema);
    for (const subschema of subschemas(schema)) this.#index(subschema, base);
  }
}

function withoutHash(href: string): string {
  return href.replace(/#.*/s, '');
}

function atPointer(root: unknown, hash: string): unknown {
  let found = root;
  for (const step of decodeURIComponent(hash).slice(2).split('/')) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<string, unknown>)[key];
  }
  return found;
}
