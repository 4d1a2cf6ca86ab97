import type { GetPromptResult, McpClient, PromptMessage } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import {
  html,
  nothing,
  type ReactiveController,
  type ReactiveControllerHost,
  type TemplateResult,
} from 'lit';
import { renderError, renderLoading } from '../../base/look/messages.js';
import { formatNumber } from '../../base/text/format.js';
import { formatTokens } from '../../base/text/format-tokens.js';
import { tokensOfText } from '../../base/text/tokens.js';
import { usableMessages } from '../../reading/gate.js';
import { BlockList, type ShownBlock } from '../../show/blocks/content-blocks.js';

type State =
  | { name: 'none' }
  | { name: 'pending' }
  | { name: 'error'; error: unknown }
  | {
      name: 'ready';
      result: GetPromptResult;
      messages: readonly PromptMessage[];
      unusable: number;
      blocks: BlockList;
    };

/**
 * What the server has answered for the arguments in the form: the messages as the model gets them. An
 * outdated answer is dropped.
 */
export class PromptAnswer implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #state: State = { name: 'none' };
  #fetching = new AbortController();

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.forget();
  }

  /** Whether the server has not answered yet. */
  get isPending(): boolean {
    return this.#state.name === 'pending';
  }

  /** The answer, if there is one. */
  get result(): GetPromptResult | undefined {
    return this.#state.name === 'ready' ? this.#state.result : undefined;
  }

  /** Drops the answer, and one that is still to come. */
  forget(): void {
    this.#fetching.abort();
    this.#set({ name: 'none' });
  }

  /** Fetches a prompt. Resolves with the answer, unless it fails or is dropped. */
  async fetch(
    client: McpClient,
    prompt: string,
    args: { [name: string]: string },
  ): Promise<GetPromptResult | undefined> {
    this.forget();
    this.#set({ name: 'pending' });
    this.#fetching = new AbortController();
    const { signal } = this.#fetching;
    try {
      const result = await client.getPrompt(prompt, args, { signal });
      if (signal.aborted) return undefined;
      const { messages, unusable } = usableMessages(result);
      const contents = messages.map(({ content }) => content);
      const blocks = new BlockList(contents, { update: () => this.#host.requestUpdate() });
      this.#set({ name: 'ready', result, messages, unusable, blocks });
      return result;
    } catch (error) {
      if (!signal.aborted) this.#set({ name: 'error', error });
      return undefined;
    }
  }

  /** @param onretry Without it, nothing can be tried again. */
  render(onretry: (() => void) | undefined): TemplateResult | typeof nothing {
    switch (this.#state.name) {
      case 'none':
        return nothing;
      case 'pending':
        return renderLoading(2);
      case 'error':
        return renderError(this.#state.error, onretry);
      default:
        return renderMessages(this.#state);
    }
  }

  #set(state: State): void {
    if (this.#state.name === 'ready') this.#state.blocks.dispose();
    this.#state = state;
    this.#host.requestUpdate();
  }
}

function renderMessages(state: State & { name: 'ready' }): TemplateResult {
  const { messages, blocks } = state;
  const [count, unusable] = [formatNumber(messages.length), formatNumber(state.unusable)];
  return html`<section
    class="preview"
    part="preview"
    aria-label=${msg('What the model gets', { id: 'mcp.prompt-menu.preview' })}
  >
    <p class="facts" role="status">
      ${msg(str`What the model gets. Messages: ${count}`, { id: 'mcp.prompt-menu.messages' })}
    </p>
    <ol role="list">
      ${blocks.shown.map((block, index) => renderMessage(messages[index]!, block))}
    </ol>
    ${blocks.renderMore()}
    ${
      state.unusable > 0
        ? html`<p class="facts">
            ${msg(str`Messages that cannot be shown: ${unusable}`, { id: 'mcp.prompt-menu.unusable' })}
          </p>`
        : nothing
    }
  </section>`;
}

function renderMessage({ role }: PromptMessage, block: ShownBlock): TemplateResult {
  const { text } = block;
  const who =
    role === 'user'
      ? msg('User', { id: 'mcp.prompt-menu.user' })
      : msg('Assistant', { id: 'mcp.prompt-menu.assistant' });
  return html`<li class="block ${role}" part="message">
    <div class="from">
      <strong>${who}</strong>
      ${text === undefined ? nothing : html`<span>${formatTokens(tokensOfText(text))}</span>`}
    </div>
    ${block.render()}
  </li>`;
}
