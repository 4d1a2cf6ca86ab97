import type { Call } from '../calls/call.js';
import { invalidParams, ProtocolError, ResourceNotFoundError } from '../wire/errors.js';
import { object, optional, recordOf, type Shape } from '../wire/shapes.js';
import type { InputRequiredResult } from '../wire/input-types.js';
import type { Resource, ResourceContents, ResourceTemplate } from '../wire/types.js';
import { plainDefinition } from './definition.js';
import { badCursorError, LIST_PAGE_SIZE } from './list-pages.js';
import { decodeCursor, encodeCursor } from './page-cursor.js';
import type { Completion } from './prompt.js';
import type { ResourcePage, Resources } from './resources.js';
import { LISTED_ENTRY, TEMPLATE } from './result-shapes.js';
import { UriTemplate, type UriValues, type UriVariables } from './uri-template.js';

/** The resources of a template. */
export interface TemplateDefinition<Template extends string, Context = unknown> extends Omit<
  ResourceTemplate,
  'uriTemplate'
> {
  /**
   * Reads the resource with these values of the variables.
   *
   * @throws {ResourceNotFoundError} if the resource does not exist.
   */
  read(
    variables: UriVariables<Template>,
    uri: string,
    call: Call<Context>,
  ): ResourceContents[] | InputRequiredResult | Promise<ResourceContents[] | InputRequiredResult>;
  /**
   * The resources for `resources/list`. Default: none are listed.
   *
   * @param uriOf Makes the uri of a resource from the values of its variables.
   */
  list?:
    | ((
        uriOf: (values: UriVariables<Template> & UriValues) => string,
        call: Call<Context>,
      ) => Resource[] | Promise<Resource[]>)
    | undefined;
  /** Suggests values for variables, as `complete` of a prompt's argument does. Default: none. */
  complete?:
    | {
        readonly [variable: string]: (
          typed: string,
          chosen: { readonly [variable: string]: string },
          call: Call<Context>,
        ) => readonly string[] | Completion | Promise<readonly string[] | Completion>;
      }
    | undefined;
}

/**
 * Makes resources whose uris have a template (RFC 6570), such as `note:///{id}`: they are read by the values
 * of its variables. Join several with {@link joinResources}.
 *
 * @throws {TypeError} if it is not a uri template, or a member is of the wrong type or cannot be sent.
 */
export function resourceTemplate<const Template extends string, Context = unknown>(
  uriTemplate: Template,
  { read, list, complete, ...listed }: TemplateDefinition<Template, Context>,
): Resources<Context> {
  const template = new UriTemplate(uriTemplate);
  const place = `The template ${uriTemplate}`;
  const entry = plainDefinition({ ...listed, uriTemplate }, place);
  const problem =
    TEMPLATE(entry, place) ?? LISTED_ENTRY(entry, place) ?? OWN({ read, list, complete }, place);
  if (problem !== undefined) throw new TypeError(problem);
  const uriOf = (values: UriValues): string => template.expand(values);
  return {
    templates: [entry],
    async list(cursor, call) {
      // The list has one page, so no cursor was made for it.
      if (cursor !== undefined) throw badCursorError();
      return { resources: (await list?.(uriOf, call)) ?? [] };
    },
    read(uri, call) {
      const variables = template.match(uri);
      if (!variables) throw new ResourceNotFoundError(uri);
      return read(variables as UriVariables<Template>, uri, call);
    },
    async complete({ uriTemplate: asked, argument, value, chosen }, call) {
      if (asked !== uriTemplate) throw noTemplateError();
      const known = complete && Object.hasOwn(complete, argument) ? complete[argument] : undefined;
      const found = (await known?.(value, chosen, call)) ?? [];
      return Array.isArray(found) ? { values: found, total: found.length } : (found as Completion);
    },
  };
}

const noTemplateError = (): ProtocolError => invalidParams('There is no such resource template.');

const isFunction: Shape = (value, path) =>
  typeof value === 'function' ? undefined : `${path}: expected a function`;

const OWN = object({
  read: isFunction,
  list: optional(isFunction),
  complete: optional(recordOf(optional(isFunction))),
});

/** A page of one of several resources; an empty page if its list fails. */
async function pageOf<Context>(
  part: Resources<Context>,
  cursor: string | undefined,
  call: Call<Context>,
): Promise<ResourcePage> {
  try {
    const page = await part.list(cursor, call);
    // A template may by mistake return a list that is not an array.
    if (!Array.isArray(page.resources)) throw new TypeError('A list of resources is not an array.');
    return page;
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    const names = part.templates?.map(({ uriTemplate }) => uriTemplate) ?? [];
    console.warn(`inpage-mcp: the resources ${names.join(', ')} could not be listed:`, error);
    return { resources: [] };
  }
}

/** The part of a cursor that {@link joinResources} has made, and the cursor of that part. */
function placeOf(cursor: string): [index: number, inner: string | undefined] {
  const [index, inner, ...others] = decodeCursor(cursor) ?? [];
  const isInner = typeof inner === 'string' || (inner === undefined && index !== 0);
  if (!Number.isSafeInteger(index) || Number(index) < 0 || !isInner || others.length > 0)
    throw badCursorError();
  return [index as number, inner];
}

/**
 * Joins several resources into one: lists follow each other, and the first that has a uri reads it. If the
 * list of one fails, those of the others are still listed, and the console names the failed one and the
 * reason. A `ProtocolError` is sent as the answer instead.
 *
 * @throws {TypeError} if one of them is not a result of `resourceTemplate`, or a similar object.
 */
export function joinResources<Context = unknown>(
  ...parts: readonly Resources<Context>[]
): Resources<Context> {
  for (const [index, part] of parts.entries())
    if (typeof part?.list !== 'function' || typeof part.read !== 'function')
      throw new TypeError(`joinResources: ${index} needs the functions list and read.`);
  return {
    get templates() {
      return parts.flatMap(({ templates = [] }) => templates);
    },
    async list(cursor, call) {
      let [index, inner] = cursor === undefined ? [0, undefined] : placeOf(cursor);
      if (cursor !== undefined && index >= parts.length) throw badCursorError();
      const resources: Resource[] = [];
      // The small lists of several parts are one page.
      while (index < parts.length && resources.length < LIST_PAGE_SIZE) {
        const page = await pageOf(parts[index]!, inner, call);
        resources.push(...page.resources);
        // A cursor that is not a string would be refused later.
        if (typeof page.nextCursor === 'string')
          return { resources, nextCursor: encodeCursor([index, page.nextCursor]) };
        [index, inner] = [index + 1, undefined];
      }
      return { resources, ...(index < parts.length && { nextCursor: encodeCursor([index]) }) };
    },
    async read(uri, call) {
      for (const part of parts) {
        try {
          return await part.read(uri, call);
        } catch (error) {
          if (!(error instanceof ResourceNotFoundError)) throw error;
        }
      }
      throw new ResourceNotFoundError(uri);
    },
    isHeavy: (uri) => parts.some((part) => part.isHeavy?.(uri)),
    async complete(query, call) {
      const part = parts.find(({ templates = [] }) =>
        templates.some(({ uriTemplate }) => uriTemplate === query.uriTemplate),
      );
      if (!part) throw noTemplateError();
      return (await part.complete?.(query, call)) ?? { values: [], total: 0 };
    },
    listen(listener) {
      const stops = parts.map((part) => part.listen?.(listener));
      return () => {
        for (const stop of stops) stop?.();
      };
    },
  };
}
