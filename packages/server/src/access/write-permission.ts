import type { Call, CallToolResult, ClientCapabilities } from '@inpage-mcp/protocol';
import type { Connection } from './connection.js';
import type { PageQuestions } from './page-questions.js';
import type { Permission } from './permission.js';

/** The key of our one question among those of a call. */
const QUESTION = 'confirm';

/** A mere yes or no. */
const NO_FORM = { type: 'object', properties: {} } as const;

/**
 * `Access.write` of a connection: `allow` writes, `deny` has no writing tools, and `ask` asks the
 * user each time: by elicitation where the client offers it (Client › Elicitation), else by the
 * page's own `confirm`, else nothing is written. A guest might answer for its user, so that only
 * the page is asked about it, a few times.
 */
export class WritePermission {
  readonly #permission: Permission;
  readonly #questions: PageQuestions;

  /** @param questions Asks the page's user. */
  constructor(permission: Permission, questions: PageQuestions) {
    this.#permission = permission;
    this.#questions = questions;
  }

  /**
   * Asks, where asking is needed. `undefined` means go ahead; anything else is the refusal, which is
   * the result of the call.
   *
   * @param question Tells what is about to happen, such as `Delete the note "Shopping"?`; called
   *   only when somebody is asked.
   */
  async ask(
    tool: string,
    question: () => string | Promise<string>,
    call: Call<Connection>,
  ): Promise<CallToolResult | undefined> {
    const { write, isGuest } = this.#permission;
    if (write === 'allow') return undefined;
    // It is not offered then; this is for who calls it all the same, in whatever way.
    if (write === 'deny') return refusal('This connection may not write.');
    if (!isGuest && canElicit(call.clientCapabilities)) return await askClient(question, call);
    const message = await question();
    if (!(await this.#confirm(tool, message, call))) {
      return refusal('The user was not asked or did not agree.');
    }
    // They agreed to what was so when they were asked.
    const isSame = (await question()) === message;
    return isSame ? undefined : refusal('What it is about has changed meanwhile: call again.');
  }

  async #confirm(tool: string, message: string, call: Call<Connection>): Promise<boolean> {
    const { signal } = call;
    const ask = (): Promise<boolean> => this.#questions.ask({ tool, message }, signal);
    return await call.whileAsking(ask).catch(() => false);
  }
}

/** Asks the user of the client, again where what it is about has changed while they thought. */
async function askClient(
  question: () => string | Promise<string>,
  call: Call<Connection>,
): Promise<CallToolResult | undefined> {
  let asked: string | undefined;
  for (;;) {
    const message = await question();
    if (message === asked) return undefined;
    const { action } = await call.elicit(QUESTION, { message, requestedSchema: NO_FORM });
    if (action !== 'accept') return refusal('The user declined.');
    asked = message;
  }
}

function canElicit({ elicitation }: ClientCapabilities): boolean {
  // Before there were modes, `{}` said that forms are possible (2025-06-18).
  return elicitation !== undefined && (elicitation.form !== undefined || !elicitation.url);
}

function refusal(reason: string): CallToolResult {
  const text = `Nothing was changed. ${reason}`;
  return { content: [{ type: 'text', text }], isError: true };
}
