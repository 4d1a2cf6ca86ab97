import {
  anyObject,
  boolean,
  listOf,
  number,
  object,
  oneOf,
  optional,
  string,
  type Shape,
} from '../wire/shapes.js';

/** The shapes of the results that an app returns. They are checked before they are sent. */

const ICONS = listOf(
  object({
    src: string,
    mimeType: optional(string),
    sizes: optional(listOf(string)),
    theme: optional(oneOf(['light', 'dark'])),
  }),
);

/** The shape of a number from 0 to 1. */
const share: Shape = (value, path) =>
  number(value, path) ??
  ((value as number) >= 0 && (value as number) <= 1 ? undefined : `${path}: expected 0 to 1`);

/** The shape of a moment with its time zone (ISO 8601), as official clients check it: the day must exist. */
const moment: Shape = (value, path) =>
  string(value, path) ??
  (isMoment(value as string) ? undefined : `${path}: expected an ISO 8601 date with time and zone`);

const MOMENT =
  /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

function isMoment(text: string): boolean {
  const [, day = ''] = MOMENT.exec(text) ?? [];
  const time = Date.parse(day);
  // `Date` turns a day that does not exist into another one, or into an invalid date.
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(day);
}

/** The shape of the annotations of resources and contents. */
const ANNOTATIONS = object({
  audience: optional(listOf(oneOf(['user', 'assistant']))),
  priority: optional(share),
  lastModified: optional(moment),
});

const hint = optional(boolean);

const LISTED = {
  name: string,
  title: optional(string),
  description: optional(string),
  mimeType: optional(string),
  _meta: optional(anyObject),
};

/** The optional members of an entry, and the shape of each. */
export const FACTS: readonly (readonly [name: string, shape: Shape])[] = [
  ['annotations', ANNOTATIONS],
  ['icons', ICONS],
  ['title', string],
  ['description', string],
  ['mimeType', string],
  ['size', number],
  ['_meta', anyObject],
];

/** The shape of a tool or prompt in its list. */
export const LISTED_ENTRY = object({
  ...LISTED,
  icons: optional(ICONS),
  annotations: optional(
    object({
      title: optional(string),
      readOnlyHint: hint,
      destructiveHint: hint,
      idempotentHint: hint,
      openWorldHint: hint,
    }),
  ),
  arguments: optional(
    listOf(
      object({
        name: string,
        title: optional(string),
        description: optional(string),
        required: optional(boolean),
      }),
    ),
  ),
});

const resource = { ...LISTED, uri: string, size: optional(number) };

/** The shape of a resource in its list. */
export const RESOURCE = object(resource);

/** The shape of a template in its list. */
export const TEMPLATE = object({ ...LISTED, uriTemplate: string });

/** The shape of a server's description of itself. */
export const IMPLEMENTATION = object({
  name: string,
  version: string,
  title: optional(string),
  description: optional(string),
  websiteUrl: optional(string),
  icons: optional(ICONS),
});

/**
 * The shape of a base64 text. Official clients check it with `atob`, which is slow for megabytes that it has
 * to decode.
 */
const base64: Shape = (value, path) =>
  string(value, path) ?? (isBase64(value as string) ? undefined : `${path}: expected base64`);

function isBase64(text: string): boolean {
  if (text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)) return true;
  try {
    atob(text);
    return true;
  } catch {
    return false;
  }
}

const contents: Shape = (value, path) =>
  object({
    uri: string,
    mimeType: optional(string),
    text: optional(string),
    blob: optional(base64),
    _meta: optional(anyObject),
  })(value, path) ??
  (hasContent(value as object) ? undefined : `${path}: expected text or blob, and not both`);

const hasContent = ({ text, blob }: { text?: string; blob?: string }): boolean =>
  (text === undefined) !== (blob === undefined);

const media = object({ data: base64, mimeType: string });

/** The shapes of the members of each kind of content. */
const BLOCKS: { readonly [type: string]: Shape } = {
  text: object({ text: string }),
  image: media,
  audio: media,
  resource_link: object(resource),
  resource: object({ resource: contents }),
};

const typed = object({
  type: oneOf(Object.keys(BLOCKS)),
  annotations: optional(anyObject),
  _meta: optional(anyObject),
});

/** The shape of a part of a tool's answer, or of a message. */
export const BLOCK: Shape = (value, path) =>
  typed(value, path) ?? BLOCKS[(value as { type: string }).type]!(value, path);

export const TOOL_RESULT = object({
  content: listOf(BLOCK),
  isError: optional(boolean),
  _meta: optional(anyObject),
});

export const PROMPT_RESULT = object({
  description: optional(string),
  messages: listOf(object({ role: oneOf(['user', 'assistant']), content: BLOCK })),
  _meta: optional(anyObject),
});

export const RESOURCE_PAGE = object({
  resources: listOf(RESOURCE),
  nextCursor: optional(string),
});

export const TEMPLATES = object({
  resourceTemplates: listOf(TEMPLATE),
});

export const CONTENTS = object({ contents: listOf(contents) });
