import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  inputResponse,
  type CallToolResult,
  type ClientCapabilities,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Access } from './control-plane.js';
import type { PageQuestions } from './page-questions.js';
import { questionAnswered, stateOfQuestion } from './question-state.js';
import { whileAsking } from './call-deadline.js';

/** The key of our one question among the input requests of a call. */
const QUESTION = 'confirm';

/** The `_meta` of a modern request, as far as it is read here. */
interface Envelope {
  [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities;
}

/** What decides whether a connection may write. */
export interface WritePermissionOptions {
  /** What the access of the connection says at the moment. */
  write: () => Required<Access>['write'];
  /** Whether somebody else than the page holds the connection: it is not asked about itself. */
  isGuest: boolean;
  /** Asks the page's user. */
  questions: PageQuestions;
  /** What a legacy client declared when it initialized. */
  legacyCapabilities: () => ClientCapabilities | undefined;
}

/**
 * `Access.write` of a connection: `allow` writes, `deny` has no writing tools, and `ask` asks the
 * user each time: by elicitation where the client offers it (Client › Elicitation), else by the
 * page's own `confirm`, else nothing is written. A guest might answer for its user, so that only
 * the page is asked about it, a few times.
 */
export class WritePermission {
  readonly #options: WritePermissionOptions;
  constructor(options: WritePermissionOptions) {
    this.#options = options;
  }

  /**
   * Asks, where asking is needed. `undefined` means go ahead; anything else is the result of the
   * call, either its refusal or the question to the client's user, after whose answer the client
   * calls again.
   *
   * @param question Tells what is about to happen, such as `Delete the note "Shopping"?`; called
   *   only when somebody is asked.
   */
  async ask(
    tool: string,
    question: () => string | Promise<string>,
    ctx: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult | undefined> {
    const write = this.#options.write();
    if (write === 'allow') return undefined;
    // It is not offered then; this is for who calls it all the same, in whatever way.
    if (write === 'deny') return refusal('This connection may not write.');
    const message = await question();
    if (!this.#options.isGuest && this.#canElicit(ctx)) return elicit(tool, message, ctx);
    const allowed = await this.#confirm(tool, message, ctx.mcpReq.signal);
    if (!allowed) return refusal('The user was not asked or did not agree.');
    // They agreed to what was so when they were asked.
    const isSame = (await question()) === message;
    return isSame ? undefined : refusal('What it is about has changed meanwhile: call again.');
  }

  #canElicit(ctx: ServerContext): boolean {
    const envelope: Envelope | undefined = ctx.mcpReq.envelope;
    const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? this.#options.legacyCapabilities();
    const elicitation = declared?.elicitation;
    // Before there were modes, `{}` said that forms are possible (2025-06-18).
    return elicitation !== undefined && (elicitation.form !== undefined || !elicitation.url);
  }

  async #confirm(tool: string, message: string, signal: AbortSignal): Promise<boolean> {
    const asking = (): Promise<boolean> =>
      this.#options.questions.ask({ tool, message }, signal).catch(() => false);
    return await whileAsking(signal, asking);
  }
}

/**
 * The question on the first call, the answer on the one after it. The state that the client brings
 * along says what was asked: an answer to another question is none.
 */
function elicit(
  tool: string,
  message: string,
  ctx: ServerContext,
): CallToolResult | InputRequiredResult | undefined {
  const requestState = stateOfQuestion(tool, message);
  const answer = inputResponse(ctx.mcpReq.inputResponses, QUESTION);
  if (answer.kind === 'elicit' && questionAnswered(ctx) === requestState) {
    return answer.action === 'accept' ? undefined : refusal('The user declined.');
  }
  const requestedSchema = { type: 'object' as const, properties: {} };
  return inputRequired({
    inputRequests: { [QUESTION]: inputRequired.elicit({ message, requestedSchema }) },
    requestState,
  });
}

function refusal(reason: string): CallToolResult {
  const text = `Nothing was changed. ${reason}`;
  return { content: [{ type: 'text', text }], isError: true };
}
