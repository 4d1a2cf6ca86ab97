import { isYes, type ConsentAnswer, type ConsentQuestion } from './question.js';

/** The part of `<mcp-consent>` that the adapters use. */
interface Asks {
  ask(
    question: ConsentQuestion,
    options: { signal?: AbortSignal | undefined },
  ): Promise<ConsentAnswer>;
}

/** The `confirm` of `startRuntime` in `@inpage-mcp/runtime`: whether a tool may run. */
export type Confirm = (
  request: { tool: string; message: string; arguments?: unknown; origin?: string },
  context: { signal: AbortSignal },
) => Promise<boolean>;

/** The values of a form as MCP has them (Client › Elicitation). */
interface ElicitContent {
  [name: string]: string | number | boolean | string[];
}

/** The `elicit` of `connectClient` in `@inpage-mcp/client`: a question of the server. */
export type Elicit = (
  request: { message: string; requestedSchema: object },
  context: { signal: AbortSignal },
) => Promise<{ action: 'accept' | 'decline' | 'cancel'; content?: ElicitContent }>;

/** Which server asks. */
export interface ElicitAsker {
  /** Its origin; absent for a server in the page itself. */
  readonly origin?: string | undefined;
  /** Its name, such as `client.serverInfo.title`. */
  readonly requester?: string | undefined;
}

/** Asks whether a tool may run. */
export function asConfirm(consent: Asks): Confirm {
  return async ({ tool, message, arguments: args, origin }, { signal }) =>
    isYes(await consent.ask({ tool, message, arguments: args, origin }, { signal }));
}

/** Asks what a server wants to know. */
export function asElicit(consent: Asks, asker: ElicitAsker = {}): Elicit {
  return async ({ message, requestedSchema }, { signal }) => {
    const question = { ...asker, message, requestedSchema, lasting: false };
    const answer = await consent.ask(question, { signal });
    if (isYes(answer)) return { action: 'accept', content: elicitContent(answer.content) };
    return { action: answer.decision === 'cancel' ? 'cancel' : 'decline' };
  };
}

/** What a form of MCP may contain: no objects, and of lists only those of texts. */
function elicitContent(content: object = {}): ElicitContent {
  return Object.fromEntries(Object.entries(content).filter(([, value]) => isContent(value)));
}

function isContent(value: unknown): boolean {
  return Array.isArray(value)
    ? value.every((one) => typeof one === 'string')
    : ['string', 'number', 'boolean'].includes(typeof value);
}
