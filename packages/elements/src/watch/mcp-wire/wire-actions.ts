import type { McpClient } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import type { LitElement } from 'lit';
import { formatError } from '../../base/text/format.js';
import { McpWireReplayEvent } from './events.js';
import { mayChangeData, replay } from './replay.js';
import { nameOfEntry } from './summary.js';
import { copyMessages, saveLines } from './take-away.js';
import type { WireEntry } from './wire-entry.js';
import type { WireRecorder } from './wire-recorder.js';

/** What the user does with messages, and what has come of it. */
export class WireActions {
  readonly #host: LitElement;
  #note = '';
  #isConfirming = false;

  constructor(host: LitElement) {
    this.#host = host;
  }

  /** What has come of the last action, for the user; empty before the first. */
  get note(): string {
    return this.#note;
  }

  /** Whether the user is asked before a request is sent again. */
  get isConfirming(): boolean {
    return this.#isConfirming;
  }

  /** Forgets the question. */
  cancel(): void {
    this.#confirm(false);
  }

  /** Sends a request again. Asks first, if the request may change something. */
  replay(entry: WireEntry, client: McpClient): void {
    if (mayChangeData(entry) && !this.#isConfirming) return this.#confirm(true);
    this.#confirm(false);
    if (!this.#host.dispatchEvent(new McpWireReplayEvent(entry))) return;
    const method = nameOfEntry(entry);
    this.#say(msg(str`Sent again: ${method}`, { id: 'mcp.wire.sent-again' }));
    replay(client, entry).catch((error: unknown) => this.#say(formatError(error)));
  }

  /** Copies the messages of a line, or one of them. */
  async copy(messages: readonly unknown[]): Promise<void> {
    const isCopied = await copyMessages(messages.filter((message) => message !== undefined));
    this.#say(
      isCopied
        ? msg('Copied.', { id: 'mcp.wire.copied' })
        : msg('The browser does not let this page use the clipboard.', { id: 'mcp.wire.no-copy' }),
    );
  }

  /** Saves lines as a file. */
  async save(recorder: WireRecorder | undefined, entries: readonly WireEntry[]): Promise<void> {
    try {
      const blob = await recorder?.toJsonLines(entries);
      if (blob) saveLines(blob);
    } catch (error) {
      this.#say(formatError(error));
    }
  }

  #confirm(isConfirming: boolean): void {
    this.#isConfirming = isConfirming;
    this.#host.requestUpdate();
  }

  #say(note: string): void {
    this.#note = note;
    this.#host.requestUpdate();
  }
}
