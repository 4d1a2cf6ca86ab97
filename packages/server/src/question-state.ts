import type { ServerContext, ServerOptions } from '@modelcontextprotocol/server';
import type { HandlerSeam } from './request-handlers.js';

/** What checks a state that a client brings back. */
type Verify = NonNullable<NonNullable<ServerOptions['requestState']>['verify']>;

/** How the states of our own questions begin. */
const BEGINNING = 'inpage-mcp question: ';

/** Stands for the state of one of our questions on its way through the SDK. */
class QuestionState {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** What each call was asked that brings an answer, by its signal, which every copy of a context has. */
const asked = new WeakMap<AbortSignal, string>();

/**
 * The state of a question of ours, such as whether a tool may write. It need not be signed: it is
 * only ever compared with the question that would be asked now.
 */
export function stateOfQuestion(tool: string, message: string): string {
  return `${BEGINNING}${tool}: ${message}`;
}

/** The state of our question that a call brings the answer to. */
export function questionAnswered({ mcpReq }: ServerContext): string | undefined {
  return asked.get(mcpReq.signal);
}

/** Has the app verify every state but those of our questions, of which it knows nothing. */
export function verifyingApartFromQuestions(verify: Verify | undefined): Verify {
  return (state, ctx) =>
    state.startsWith(BEGINNING) ? new QuestionState(state) : verify?.(state, ctx);
}

/**
 * Keeps the states of our questions from handlers: for one of the app a call that brings one has
 * none, since nobody has verified it.
 */
export const questionsApart: HandlerSeam = (_method, handler) => (request, ctx) => {
  const state: unknown = ctx.mcpReq.requestState();
  if (!(state instanceof QuestionState)) return handler(request, ctx);
  asked.set(ctx.mcpReq.signal, state.text);
  return handler(request, { ...ctx, mcpReq: { ...ctx.mcpReq, requestState: () => undefined } });
};
