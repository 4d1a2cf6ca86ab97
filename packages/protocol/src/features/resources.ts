import type { Call } from '../calls/call.js';
import type { ResourceChangeListener } from '../subscriptions/subscriptions.js';
import type { Resource, ResourceContents, ResourceTemplate } from '../wire/types.js';
import type { InputRequiredResult } from '../wire/input-types.js';
import { object, optional, string } from '../wire/shapes.js';
import { badCursorError } from './list-pages.js';
import type { Method } from './methods.js';
import type { Completion } from './prompt.js';

/** What the user has typed so far of a variable of a template (`completion/complete`). */
export interface CompletionQuery {
  /** One of the templates of the server. */
  uriTemplate: string;
  /** The variable. */
  argument: string;
  /** What is there of its value. */
  value: string;
  /** The other variables, as far as they are chosen (`context.arguments`). */
  chosen: { readonly [argument: string]: string };
}

/** One page of `resources/list`. */
export interface ResourcePage {
  resources: Resource[];
  /** Absent on the last page. */
  nextCursor?: string;
}

/** The resources of a server, or what one connection may see of them. */
export interface Resources<Context = unknown> {
  /** For `resources/templates/list`. Default: none. */
  readonly templates?: readonly ResourceTemplate[];
  /** @throws {ProtocolError} −32602 for a cursor that it did not make. */
  list(cursor: string | undefined, call: Call<Context>): ResourcePage | Promise<ResourcePage>;
  /** @throws {ResourceNotFoundError} when there is nothing at the address. */
  read(
    uri: string,
    call: Call<Context>,
  ): ResourceContents[] | InputRequiredResult | Promise<ResourceContents[] | InputRequiredResult>;
  /** What a variable of a template could be. Default: nothing is known. */
  complete?(query: CompletionQuery, call: Call<Context>): Completion | Promise<Completion>;
  /** Calls the listener with what has changed. Returns what stops that. Default: nothing changes. */
  listen?(listener: ResourceChangeListener): () => void;
}

/** The methods of resources of one connection, without subscriptions. */
export function resourceMethods<Context>(
  resources: Resources<Context>,
): [name: string, method: Method<Context>][] {
  const page = object({ cursor: optional(string) });
  return [
    [
      'resources/list',
      {
        params: page,
        run: ({ cursor }, call) => resources.list(cursor as string | undefined, call),
      },
    ],
    [
      'resources/templates/list',
      {
        params: page,
        run({ cursor }) {
          // There is one page, so no cursor was given out.
          if (cursor !== undefined) throw badCursorError();
          return { resourceTemplates: resources.templates ?? [] };
        },
      },
    ],
    [
      'resources/read',
      {
        params: object({ uri: string }),
        run: ({ uri }, call) => read(resources, uri as string, call),
      },
    ],
  ];
}

function read<Context>(
  resources: Resources<Context>,
  uri: string,
  call: Call<Context>,
): object | Promise<object> {
  const found = resources.read(uri, call);
  return found instanceof Promise ? found.then(asResult) : asResult(found);
}

function asResult(found: ResourceContents[] | InputRequiredResult): object {
  return Array.isArray(found) ? { contents: found } : found;
}
