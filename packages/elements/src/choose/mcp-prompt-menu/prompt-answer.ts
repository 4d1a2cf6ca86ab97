import type { GetPromptResult, McpClient } from '@inpage-mcp/client';
import {
  nothing,
  type ReactiveController,
  type ReactiveControllerHost,
  type TemplateResult,
} from 'lit';
import { renderError, renderLoading } from '../../base/look/messages.js';
import { PromptPreview } from './prompt-preview.js';

type State =
  | { name: 'none' }
  | { name: 'pending' }
  | { name: 'error'; error: unknown }
  | { name: 'ready'; result: GetPromptResult };

/** What the server has answered for the arguments in the form. An outdated answer is dropped. */
export class PromptAnswer implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #preview: PromptPreview;
  #state: State = { name: 'none' };
  #fetching = new AbortController();

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    this.#preview = new PromptPreview(host);
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
    this.#preview.clear();
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
      this.#preview.show(result);
      this.#set({ name: 'ready', result });
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
        return this.#preview.render();
    }
  }

  #set(state: State): void {
    this.#state = state;
    this.#host.requestUpdate();
  }
}
