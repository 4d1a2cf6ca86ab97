import { inputSchema } from '../schemas/index.js';
import { ErrorCode, ProtocolError } from '../wire/errors.js';
import type { InputRequest } from '../wire/input-types.js';
import { isObject } from '../wire/is-object.js';
import type { ClientCapabilities } from '../wire/types.js';

/**
 * The error that is thrown when a call first needs an answer of its client; the call runs again with the
 * answer.
 */
export class InputNeeded extends Error {
  override readonly name = 'InputNeeded';
  readonly key: string;
  readonly request: InputRequest;
  constructor(key: string, request: InputRequest) {
    super('The call waits for its client: do not catch this.');
    this.key = key;
    this.request = request;
  }
}

interface Required {
  [capability: string]: { [member: string]: object };
}

/**
 * Checks whether the client can be asked this.
 *
 * @throws {ProtocolError} −32021 with the missing capabilities, if the client has not declared that it can be
 *   asked this (Base Protocol › Error Codes); TypeError if the schema of a form is invalid.
 */
export function checkCanAsk(request: InputRequest, declared: ClientCapabilities): void {
  if (request.method === 'elicitation/create' && request.params.mode !== 'url') {
    inputSchema(request.params.requestedSchema);
  }
  const requiredCapabilities = missingCapabilities(requiredFor(request), declared);
  if (!requiredCapabilities) return;
  const text = `The client has not declared that it can be asked ${request.method}.`;
  const data = { requiredCapabilities };
  throw new ProtocolError(ErrorCode.MissingRequiredClientCapability, text, data);
}

function requiredFor(request: InputRequest): Required {
  switch (request.method) {
    case 'elicitation/create':
      return { elicitation: request.params.mode === 'url' ? { url: {} } : { form: {} } };
    case 'sampling/createMessage': {
      const { tools, toolChoice } = request.params;
      return { sampling: tools === undefined && toolChoice === undefined ? {} : { tools: {} } };
    }
    case 'roots/list':
      return { roots: {} };
  }
}

function missingCapabilities(
  required: Required,
  declared: ClientCapabilities,
): Required | undefined {
  for (const [capability, members] of Object.entries(required)) {
    const own = Object.hasOwn(declared, capability) ? declared[capability] : undefined;
    if (!isObject(own)) return required;
    const isDeclared = (member: string): boolean =>
      own[member] !== undefined || isImplied(capability, member, own);
    if (!Object.keys(members).every(isDeclared)) return required;
  }
  return undefined;
}

/**
 * Whether an older form of a capability implies this member. Before modes existed, `{}` meant that forms are
 * possible (2025-06-18).
 */
function isImplied(capability: string, member: string, declared: object): boolean {
  return capability === 'elicitation' && member === 'form' && !('url' in declared);
}
