import type { InputRequest, SampleParams } from '../wire/input-types.js';
import { AUDIO_SINCE, MODES_SINCE } from '../wire/keys.js';

/** The first revisions in which a message for the model may have these kinds of content. */
const SAMPLED_SINCE = new Map([
  ['text', ''],
  ['image', ''],
  ['audio', AUDIO_SINCE],
]);

/**
 * Converts a question for a client of an older revision. Until 2025-11-25 the names of choices stood in
 * `enumNames`, no field of a form had several values, and no message for the model had several contents.
 * Several contents become several messages.
 *
 * @throws {TypeError} if a field can have several values, or if a content is of a kind that the client's
 *   revision does not have.
 */
export function olderQuestion(request: InputRequest, revision: string): InputRequest {
  if (revision >= MODES_SINCE || request.method === 'roots/list') return request;
  if (request.method === 'sampling/createMessage') {
    return { ...request, params: olderSampling(request.params, revision) };
  }
  const { params } = request;
  if (params.mode === 'url') return request;
  const { requestedSchema } = params;
  const fields = Object.entries(requestedSchema.properties);
  const properties = Object.fromEntries(
    fields.map(([name, field]) => [name, olderField(name, field)]),
  );
  return { ...request, params: { ...params, requestedSchema: { ...requestedSchema, properties } } };
}

function olderSampling({ messages, ...params }: SampleParams, revision: string): SampleParams {
  const older = messages.flatMap(({ content, ...message }) =>
    [content].flat().map((block) => {
      const { type = '' } = block as { type?: string };
      const since = SAMPLED_SINCE.get(type);
      if (since === undefined || since > revision)
        throw new TypeError(`A message has content of the type "${type}": its revision has none.`);
      return { ...message, content: block };
    }),
  );
  return { ...params, messages: older };
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
