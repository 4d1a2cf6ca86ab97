import type { Access } from '@inpage-mcp/server/control-plane';
import { guestAccess, type AccessParts } from '../access/guest-access.js';
import type { DesktopRequest, ServeDesktopOptions } from './desktop-types.js';

/** The access of each desktop app, by the name of the app, as the page has decided. */
export interface Grants {
  /**
   * Resolves with the access of an app; with `undefined` if it is refused, or the request was
   * aborted. Never rejects.
   */
  decide(request: DesktopRequest): Promise<Access | undefined>;
  /** Refuses every app of this name until {@link reset}. */
  refuse(name: string): void;
  /** Forgets the refusals, so that the page is asked again; if the pairing has ended, all answers. */
  reset(isEnded?: boolean): void;
}

/** @throws {RuntimeError} `invalid-argument` unless the access is a plain object or a function. */
export function createGrants(access: ServeDesktopOptions['access'], parts: AccessParts): Grants {
  const accepted = typeof access === 'function' ? undefined : guestAccess(access, parts);
  const ask = async (request: DesktopRequest): Promise<Access | undefined> => {
    if (typeof access !== 'function') return accepted;
    const answer = await access(request);
    return answer && guestAccess(answer, parts);
  };
  /** `undefined`: refused or revoked. */
  const answers = new Map<string, Access | undefined>();
  /** The page is asked about one app at a time. */
  let asking: Promise<unknown> | undefined;

  const decideNext = async (request: DesktopRequest, before: unknown): Promise<void> => {
    const { name, signal } = request;
    await before;
    if (signal.aborted || answers.has(name)) return;
    const aborted = new Promise<undefined>((resolve) => {
      signal.addEventListener('abort', () => resolve(undefined));
    });
    const asked = ask(request).catch((error: unknown) => {
      reportError(error);
      return undefined;
    });
    const answer = await Promise.race([asked, aborted]);
    if (!signal.aborted) answers.set(name, answer);
  };

  return {
    async decide(request) {
      if (!answers.has(request.name)) await (asking = decideNext(request, asking));
      return answers.get(request.name);
    },
    refuse: (name) => void answers.set(name, undefined),
    reset(isEnded) {
      for (const [name, answer] of answers) if (isEnded || !answer) answers.delete(name);
    },
  };
}
