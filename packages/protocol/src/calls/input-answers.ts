import { inputSchema } from '../schemas/index.js';
import type {
  ElicitParams,
  ElicitResult,
  InputRequest,
  ListRootsResult,
  SampleResult,
} from '../wire/input-types.js';
import { isObject } from '../wire/is-object.js';

/** Whether what a client has brought can be the answer of its user. */
export function isElicitResult(response: object): response is ElicitResult {
  const { action, content } = response as { action?: unknown; content?: unknown };
  const isAction = action === 'accept' || action === 'decline' || action === 'cancel';
  return isAction && (content === undefined || isObject(content));
}

/** Whether it can be what the model of the client has said. */
export function isSampleResult(response: object): response is SampleResult {
  const { model, content } = response as { model?: unknown; content?: unknown };
  return typeof model === 'string' && content !== undefined;
}

/** Whether it can be the folders of the client. */
export function isRootsResult(response: object): response is ListRootsResult {
  return Array.isArray((response as { roots?: unknown }).roots);
}

/**
 * Whether what a client has brought answers a question: it has the right shape, and a form that was
 * accepted is filled in as it had to be (Client › Elicitation).
 */
export async function answers(request: InputRequest, response: object): Promise<boolean> {
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
