import { RuntimeError } from '../worker/runtime-error.js';

/** The errors of the connection to the bridge; `pair.ts` has those of a pairing. */
const TEXTS = {
  'no-bridge': 'No bridge answers on this computer.',
  'wrong-bridge': 'The program that answers is not the bridge of this page.',
  'not-paired': 'This page is not paired with the bridge.',
  unavailable: 'The browser keeps no key for this page.',
  closed: 'This page no longer serves desktop apps.',
  failed: 'This page does not understand the bridge.',
};

/** The reason why the connection to the bridge failed. */
export type DesktopErrorCode = keyof typeof TEXTS;

/** An error with its text for the user. */
export function desktopError(code: DesktopErrorCode, cause?: unknown): RuntimeError {
  return new RuntimeError(code, TEXTS[code], { cause });
}
