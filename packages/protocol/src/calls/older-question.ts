import type { InputRequest } from '../wire/input-types.js';
import { MODES_SINCE } from '../wire/keys.js';

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
