import { inputSchema } from '../schemas/index.js';
import type {
  ElicitParams,
  ElicitResult,
  InputRequest,
  ListRootsResult,
  SampleResult,
} from '../wire/input-types.js';
import { isObject } from '../wire/is-object.js';

/** Whether a response of the client can be an answer of its user. */
export function isElicitResult(response: object): response is ElicitResult {
  const { action, content } = response as { action?: unknown; content?: unknown };
  const isAction = action === 'accept' || action === 'decline' || action === 'cancel';
  return isAction && (content === undefined || isObject(content));
}

/** Whether it can be a message of the client's model. */
export function isSampleResult(response: object): response is SampleResult {
  const { model, content } = response as { model?: unknown; content?: unknown };
  return typeof model === 'string' && content !== undefined;
}

/** Whether it can be a list of the client's folders. */
export function isRootsResult(response: object): response is ListRootsResult {
  return Array.isArray((response as { roots?: unknown }).roots);
}

/**
 * Whether a response of the client answers a question: it has the right shape, and an accepted form
 * is valid for its schema (Client › Elicitation).
 */
export async function isAnswerTo(request: InputRequest, response: object): Promise<boolean> {
  switch (request.method) {
    case 'elicitation/create':
      return isElicitResult(response) && (await isFilledIn(request.params, response));
    case 'sampling/createMessage':
      return isSampleResult(response);
    case 'roots/list':
      return isRootsResult(response);
  }
}

async function isFilledIn(
  params: ElicitParams,
  { action, content = {} }: ElicitResult,
): Promise<boolean> {
  if (action !== 'accept' || params.mode === 'url') return true;
  const { issues } = await inputSchema(params.requestedSchema).check(content);
  return issues === undefined;
}
