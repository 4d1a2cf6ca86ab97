import type { InputRequest } from '../wire/input-types.js';
import { MODES_SINCE } from '../wire/keys.js';
import type { CallToolResult, ContentBlock, GetPromptResult, Result } from '../wire/types.js';

/** The first revisions in which tools and prompts may answer with these kinds of content. */
const RESOURCE_LINKS_SINCE = '2025-06-18';
const AUDIO_SINCE = '2025-03-26';

/**
 * Converts a result for an older revision. Every revision allows unknown fields, but not unknown
 * kinds of content: a `resource_link` becomes a text that names the resource, `audio` an embedded
 * resource.
 */
export function downgradeResult(result: Result, method: string, revision: string): void {
  if (revision >= RESOURCE_LINKS_SINCE) return;
  const older = (block: ContentBlock): ContentBlock => downgradeBlock(block, revision);
  if (method === 'tools/call') {
    result['content'] = (result as unknown as CallToolResult).content.map(older);
  } else if (method === 'prompts/get') {
    const { messages } = result as unknown as GetPromptResult;
    result['messages'] = messages.map((one) => ({ ...one, content: older(one.content) }));
  }
}

function downgradeBlock(block: ContentBlock, revision: string): ContentBlock {
  if (block.type === 'resource_link') {
    return { type: 'text', text: `${block.title ?? block.name}: ${block.uri}` };
  }
  if (block.type === 'audio' && revision < AUDIO_SINCE) {
    const { data: blob, mimeType } = block;
    // An audio block has no uri, but an embedded resource must have one.
    return { type: 'resource', resource: { uri: 'data:,', mimeType, blob } };
  }
  return block;
}

/**
 * A question as a client of an older revision may be asked it: until 2025-11-25 the names of choices
 * stood in `enumNames`, and no field of a form had several values.
 * @throws {TypeError} if a field can have several.
 */
export function olderQuestion(request: InputRequest, revision: string): InputRequest {
  if (revision >= MODES_SINCE || request.method !== 'elicitation/create') return request;
  const { params } = request;
  if (params.mode === 'url') return request;
  const { requestedSchema } = params;
  const fields = Object.entries(requestedSchema.properties);
  const properties = Object.fromEntries(
    fields.map(([name, field]) => [name, olderField(name, field)]),
  );
  return { ...request, params: { ...params, requestedSchema: { ...requestedSchema, properties } } };
}

function olderField(name: string, field: object): object {
  const { oneOf, ...others } = field as {
    type?: unknown;
    oneOf?: readonly { const: string; title?: string }[];
  };
  if (others.type === 'array')
    throw new TypeError(
      `The field "${name}" can have several values: its revision has no such form.`,
    );
  if (!oneOf) return field;
  const enumNames = oneOf.map((choice) => choice.title ?? choice.const);
  return { ...others, enum: oneOf.map((choice) => choice.const), enumNames };
}
