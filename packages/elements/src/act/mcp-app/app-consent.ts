import type { ContentBlock } from '@inpage-mcp/client';
import type { AppCall } from '@inpage-mcp/client/app-host';
import { msg, str } from '@lit/localize';
import type { LitElement } from 'lit';
import { truncateText } from '../../base/text/truncate-text.js';
import { questions, type AppQuestions } from './app-questions.js';
import { McpAppDownloadEvent, McpAppLinkEvent } from './events.js';
import { filesOf, saveFile } from './saved-contents.js';

/** The parts of the element by which the page decides instead of the user. */
interface Host extends LitElement {
  mayCall: ((call: AppCall) => boolean | Promise<boolean>) | undefined;
  acceptSource: ((source: string) => boolean) | undefined;
}

/**
 * Decides about the requests of an app: the page decides if it has a function for them, otherwise the user is
 * asked.
 */
export class AppConsent {
  readonly #host: Host;
  readonly #questions: AppQuestions;
  readonly #title: () => string;
  /** The tools that the user has permitted for as long as the app runs. */
  readonly #always = new Set<string>();

  /** @param title The name of the app in the questions. */
  constructor(host: Host, appQuestions: AppQuestions, title: () => string) {
    this.#host = host;
    this.#questions = appQuestions;
    this.#title = title;
  }

  /** Withdraws all permissions of the user, because the app has ended. */
  forget(): void {
    this.#always.clear();
  }

  /**
   * Whether a call may be made.
   *
   * @param isOwn Whether the element calls the tool, not the app.
   */
  async permits(call: AppCall, isOwn = false): Promise<boolean> {
    if (this.#host.mayCall) return await this.#host.mayCall(call);
    const { tool } = call;
    if (tool.annotations?.readOnlyHint === true || this.#always.has(tool.name)) return true;
    const name = truncateText(tool.title ?? tool.name, 100);
    const words = questions.call(this.#title(), name);
    // This is one call of the page, so it permits the app nothing.
    const own = {
      title: msg(str`Call “${name}” with these values?`, { id: 'mcp.tool-form.question' }),
      always: undefined,
    };
    const answer = await this.#questions.ask({
      ...words,
      ...(isOwn && own),
      kind: tool.name,
      values: call.arguments,
      signal: call.signal,
    });
    if (answer === 'always') this.#always.add(tool.name);
    return answer !== 'no';
  }

  /** Opens an address if the user agrees. */
  async openLink(url: string, signal: AbortSignal): Promise<boolean> {
    const answer = await this.#questions.ask({
      ...questions.link(this.#title()),
      message: url,
      signal,
    });
    if (answer === 'no') return false;
    if (this.#host.dispatchEvent(new McpAppLinkEvent(url)))
      window.open(url, '_blank', 'noopener,noreferrer');
    return true;
  }

  /** Saves the contents of an app if the user agrees. */
  async download(contents: ContentBlock[], signal: AbortSignal): Promise<boolean> {
    const files = filesOf(contents);
    if (files.length === 0) return false;
    const message = files
      .map(({ name, data }) => (typeof data === 'string' ? data : name))
      .join('\n');
    const answer = await this.#questions.ask({
      ...questions.download(this.#title()),
      message,
      signal,
    });
    if (answer === 'no') return false;
    if (this.#host.dispatchEvent(new McpAppDownloadEvent(contents))) files.forEach(saveFile);
    return true;
  }

  /** The declared sources that the page or the user accepts. */
  async acceptedSources(sources: string[], signal: AbortSignal): Promise<string[]> {
    const { acceptSource } = this.#host;
    if (acceptSource) return sources.filter((source) => acceptSource(source));
    if (sources.length === 0) return [];
    const answer = await this.#questions.ask({
      ...questions.reach(this.#title()),
      message: sources.join('\n'),
      signal,
    });
    return answer === 'no' ? [] : sources;
  }
}
