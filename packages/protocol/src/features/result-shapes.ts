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

/** The shapes of the results that an app gives. They are checked before they are sent. */

const LISTED = {
  name: string,
  title: optional(string),
  description: optional(string),
  mimeType: optional(string),
  icons: optional(listOf(object({ src: string }))),
  annotations: optional(anyObject),
  _meta: optional(anyObject),
};

/** The entry of a tool or prompt in its list. */
export const LISTED_ENTRY = object({
  ...LISTED,
  arguments: optional(
    listOf(object({ name: string, title: optional(string), description: optional(string) })),
  ),
});

const resource = { ...LISTED, uri: string, size: optional(number) };

const contents: Shape = (value, path) =>
  object({
    uri: string,
    mimeType: optional(string),
    text: optional(string),
    blob: optional(string),
    _meta: optional(anyObject),
  })(value, path) ?? (hasContent(value as object) ? undefined : `${path}: expected text or blob`);

const hasContent = ({ text, blob }: { text?: string; blob?: string }): boolean =>
  text !== undefined || blob !== undefined;

const media = object({ data: string, mimeType: string });

/** The members of each kind of content. */
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

const block: Shape = (value, path) =>
  typed(value, path) ?? BLOCKS[(value as { type: string }).type]!(value, path);

export const TOOL_RESULT = object({
  content: listOf(block),
  isError: optional(boolean),
  _meta: optional(anyObject),
});

export const PROMPT_RESULT = object({
  description: optional(string),
  messages: listOf(object({ role: oneOf(['user', 'assistant']), content: block })),
  _meta: optional(anyObject),
});

export const RESOURCE_PAGE = object({
  resources: listOf(object(resource)),
  nextCursor: optional(string),
});

export const TEMPLATES = object({
  resourceTemplates: listOf(object({ ...LISTED, uriTemplate: string })),
});

export const CONTENTS = object({ contents: listOf(contents) });
