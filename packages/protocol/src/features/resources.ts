import type { Call } from '../calls/call.js';
import type { ResourceChangeListener } from '../subscriptions/subscriptions.js';
import type { Resource, ResourceContents, ResourceTemplate } from '../wire/types.js';
import type { InputRequiredResult } from '../wire/input-types.js';
import { ResourceNotFoundError } from '../wire/errors.js';
import { object, optional, string } from '../wire/shapes.js';
import { isInputRequired } from './input-required.js';
import { badCursorError } from './list-pages.js';
import type { Method } from './methods.js';
import type { Completion } from './prompt.js';
import { CONTENTS, RESOURCE, RESOURCE_PAGE, TEMPLATE, TEMPLATES } from './result-shapes.js';
import { usableEntries } from './usable-facts.js';

/** A query for values of a variable of a template (`completion/complete`). */
export interface CompletionQuery {
  /** The template, one of those of the server. */
  uriTemplate: string;
  /** The name of the variable. */
  argument: string;
  /** The text typed so far. */
  value: string;
  /** The other variables that are already chosen (`context.arguments`). */
  chosen: { readonly [argument: string]: string };
}

/** One page of `resources/list`. */
export interface ResourcePage {
  /** The entries, in the order of the list. */
  resources: Resource[];
  /** The cursor of the next page; absent on the last page. */
  nextCursor?: string | undefined;
}

/** The resources of a server, or those that one connection may see. */
export interface Resources<Context = unknown> {
  /** The templates for `resources/templates/list`. Default: none. */
  readonly templates?: readonly ResourceTemplate[] | undefined;
  /**
   * Returns a page of `resources/list`.
   *
   * @throws {ProtocolError} −32602 if it did not make the cursor.
   */
  list(cursor: string | undefined, call: Call<Context>): ResourcePage | Promise<ResourcePage>;
  /**
   * Reads a resource.
   *
   * @throws {ResourceNotFoundError} if the resource does not exist.
   */
  read(
    uri: string,
    call: Call<Context>,
  ): ResourceContents[] | InputRequiredResult | Promise<ResourceContents[] | InputRequiredResult>;
  /**
   * Whether reading a resource may scan all stored data: of each holder, only a few of these reads
   * run at a time. Default: no read does.
   */
  isHeavy?: ((uri: string) => boolean) | undefined;
  /** Suggests values for a variable of a template. Default: no suggestions. */
  complete?:
    ((query: CompletionQuery, call: Call<Context>) => Completion | Promise<Completion>) | undefined;
  /**
   * Calls the listener with each change. Returns a function that stops this. Default: no changes.
   */
  listen?: ((listener: ResourceChangeListener) => () => void) | undefined;
}

/** The resources of a server that has apps, but no resources. */
export const NO_RESOURCES: Resources = {
  list: () => ({ resources: [] }),
  read(uri) {
    throw new ResourceNotFoundError(uri);
  },
};

/**
 * The methods of resources of one connection, without subscriptions.
 *
 * @param readApp Reads an app; `undefined` if the uri is not that of an app.
 */
export function resourceMethods<Context>(
  resources: Resources<Context>,
  readApp: (uri: string, call: Call<Context>) => Promise<ResourceContents[]> | undefined,
): [name: string, method: Method<Context>][] {
  const page = object({ cursor: optional(string) });
  return [
    [
      'resources/list',
      {
        params: page,
        result: RESOURCE_PAGE,
        async run({ cursor }, call) {
          const found = await resources.list(cursor as string | undefined, call);
          // A value that is not a page is refused by the check of its shape.
          const given = (found as Partial<ResourcePage> | undefined)?.resources;
          return Array.isArray(given)
            ? { ...found, resources: usableEntries(given, RESOURCE) }
            : found;
        },
      },
    ],
    [
      'resources/templates/list',
      {
        params: page,
        result: TEMPLATES,
        run({ cursor }) {
          // The list has one page, so the server made no cursor for it.
          if (cursor !== undefined) throw badCursorError();
          const { templates = [] } = resources;
          // A value that is not a list is refused by the check of its shape.
          return {
            resourceTemplates: Array.isArray(templates)
              ? usableEntries(templates, TEMPLATE)
              : templates,
          };
        },
      },
    ],
    [
      'resources/read',
      {
        params: object({ uri: string }),
        result: CONTENTS,
        uris: ({ uri }) => [uri as string],
        isHeavy: ({ uri }) => resources.isHeavy?.(uri as string) ?? false,
        run({ uri }, call) {
          const found = readApp(uri as string, call) ?? resources.read(uri as string, call);
          return found instanceof Promise ? found.then(asResult) : asResult(found);
        },
      },
    ],
  ];
}

function asResult(found: ResourceContents[] | InputRequiredResult): object {
  return isInputRequired(found) ? found : { contents: found };
}
