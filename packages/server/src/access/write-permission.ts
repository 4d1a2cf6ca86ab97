import type { Call, CallToolResult, ClientCapabilities } from '@inpage-mcp/protocol';
import type { ConfirmRequest } from './access-types.js';
import type { Connection } from './connection-context.js';
import type { ConfirmQueue } from './confirm-queue.js';
import type { Permission } from './permission.js';

/** The key of our one question among those of a call. */
const QUESTION = 'confirm';

/** Returns the question to the user; `undefined` if there is nothing to ask. */
type Question = () => Promise<string | undefined>;

/** An empty form: the user only accepts or declines. */
const EMPTY_FORM = { type: 'object', properties: {} } as const;

/**
 * Enforces `Access.write` of a connection: `allow` writes, `deny` hides the tools that write, and `ask` asks
 * the user each time: by elicitation if the client supports it (Client › Elicitation), otherwise by the
 * page's own `confirm`, otherwise nothing is written. A guest could answer for its user, so for a guest only
 * the page is asked, and only a few times.
 */
export class WritePermission {
  readonly #permission: Permission;
  readonly #questions: ConfirmQueue;

  /** @param questions Asks the page's user. */
  constructor(permission: Permission, questions: ConfirmQueue) {
    this.#permission = permission;
    this.#questions = questions;
  }

  /**
   * Asks the user if necessary. Returns `undefined` if the tool may run; otherwise the refusal,
   * which is the result of the call.
   *
   * @param wanted The name of the tool, and its arguments.
   * @param question Called only if the user is asked.
   * @param isOnDisk Whether it writes to the disk: a guest then has to ask each time.
   */
  async ask(
    wanted: Omit<ConfirmRequest, 'message'>,
    question: Question,
    call: Call<Connection>,
    isOnDisk = false,
  ): Promise<CallToolResult | undefined> {
    const { write, isGuest } = this.#permission;
    if (write === 'allow' && !(isGuest && isOnDisk)) return undefined;
    // The tool is not listed then, but a client may still call it.
    if (write === 'deny') return refusal('This connection is not allowed to write.');
    if (!isGuest && canElicit(call.clientCapabilities)) return await askClient(question, call);
    return await this.#askPage(wanted, question, call);
  }

  async #askPage(
    wanted: Omit<ConfirmRequest, 'message'>,
    question: Question,
    call: Call<Connection>,
  ): Promise<CallToolResult | undefined> {
    const message = await question();
    if (message === undefined) return undefined;
    if (!(await this.#confirm({ ...wanted, message }, call))) {
      return refusal('The user was not asked or did not agree.');
    }
    // The user agreed to the state at the time of the question.
    const now = await question();
    if (now === message || now === undefined) return undefined;
    return refusal('The data changed after the user was asked: call the tool again.');
  }

  async #confirm(request: ConfirmRequest, call: Call<Connection>): Promise<boolean> {
    const { signal } = call;
    const ask = (): Promise<boolean> => this.#questions.ask(request, signal);
    return await call.whileAsking(ask).catch(() => false);
  }
}

/** Asks the user of the client, and again if the question has changed before the answer. */
async function askClient(
  question: Question,
  call: Call<Connection>,
): Promise<CallToolResult | undefined> {
  let asked: string | undefined;
  for (;;) {
    const message = await question();
    if (message === asked || message === undefined) return undefined;
    const { action } = await call.elicit(QUESTION, { message, requestedSchema: EMPTY_FORM });
    if (action !== 'accept') return refusal('The user declined.');
    asked = message;
  }
}

function canElicit({ elicitation }: ClientCapabilities): boolean {
  // In 2025-06-18, which has no modes, `{}` means that forms are supported.
  return elicitation !== undefined && (elicitation.form !== undefined || !elicitation.url);
}

function refusal(reason: string): CallToolResult {
  const text = `Nothing was changed. ${reason}`;
  return { content: [{ type: 'text', text }], isError: true };
}
