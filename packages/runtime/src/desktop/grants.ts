import type { Access } from '@inpage-mcp/server/control-plane';
import { guestAccess } from '../access/guest-access.js';
import type { DesktopRequest, ServeDesktopOptions } from './desktop-types.js';

/** The access of each desktop app, by the name of the app, as the page has decided. */
export class Grants {
  readonly #ask: (request: DesktopRequest) => Access | undefined | Promise<Access | undefined>;
  /** The answers of the page by the name of the app; `undefined` if the app was refused or revoked. */
  readonly #answers = new Map<string, Access | undefined>();
  /** The open question: the page is asked about one app at a time. */
  #asking: Promise<unknown> | undefined;

  /** @throws {RuntimeError} `invalid-argument` unless the access is a plain object or a function. */
  constructor(access: ServeDesktopOptions['access']) {
    if (typeof access === 'function') {
      this.#ask = async (request) => {
        const answer = await access(request);
        return answer && guestAccess(answer);
      };
    } else {
      const accepted = guestAccess(access);
      this.#ask = () => accepted;
    }
  }

  /**
   * Resolves with the access of an app; with `undefined` if it is refused, or the request was
   * aborted. Never rejects.
   */
  async decide(request: DesktopRequest): Promise<Access | undefined> {
    const { name } = request;
    if (!this.#answers.has(name)) await (this.#asking = this.#decideNext(request, this.#asking));
    return this.#answers.get(name);
  }

  /** Refuses every app of this name until {@link reset}. */
  refuse(name: string): void {
    this.#answers.set(name, undefined);
  }

  /** Forgets the refusals, so that the page is asked again; if the pairing has ended, forgets all answers. */
  reset(isEnded = false): void {
    for (const [name, answer] of this.#answers) if (isEnded || !answer) this.#answers.delete(name);
  }

  async #decideNext(request: DesktopRequest, before: unknown): Promise<void> {
    const { name, signal } = request;
    await before;
    if (signal.aborted || this.#answers.has(name)) return;
    const aborted = new Promise<undefined>((resolve) => {
      signal.addEventListener('abort', () => resolve(undefined));
    });
    const answer = await Promise.race([this.#answerTo(request), aborted]);
    if (!signal.aborted) this.#answers.set(name, answer);
  }

  async #answerTo(request: DesktopRequest): Promise<Access | undefined> {
    try {
      return await this.#ask(request);
    } catch (error) {
      reportError(error);
      return undefined;
    }
  }
}
