import { invalidParams, type ProtocolError } from '../wire/errors.js';
import type { InputRequest, InputResponse, InputResponses } from '../wire/input-types.js';
import { isObject } from '../wire/is-object.js';

/**
 * What a call of the modern era has to remember from one round to the next, beside the state of the
 * app: what was asked, and what was answered. It travels through the client as a part of
 * `requestState`. It is not signed: a client that changes it could as well have answered otherwise.
 */

const BEGINNING = 'inpage-mcp:';

/** By the key of the question: what was asked, and the answer to it. */
type Answers = Map<string, readonly [asked: string, response: InputResponse]>;

/** The questions and answers of one call. */
export class CarriedAnswers {
  readonly #answers: Answers = new Map();
  readonly #asked = new Map<string, string>();

  /** The answer to exactly this question, if there is one. */
  get(key: string, request: InputRequest): InputResponse | undefined {
    const [asked, response] = this.#answers.get(key) ?? [];
    return asked === inWords(request) ? response : undefined;
  }

  /** There is an answer to a question. */
  set(key: string, request: InputRequest, response: InputResponse): void {
    this.#answers.set(key, [inWords(request), response]);
  }

  /** A question is about to go out. */
  ask(key: string, request: InputRequest): void {
    this.#asked.set(key, inWords(request));
  }

  /** What the client is to bring back; the state of the app alone, where nothing was asked here. */
  toState(appState: string | undefined): string | undefined {
    if (this.#asked.size + this.#answers.size === 0) return appState;
    const own = [[...this.#asked], [...this.#answers]];
    return BEGINNING + JSON.stringify(appState === undefined ? own : [...own, appState]);
  }

  /**
   * Takes what a client has brought back, with its answers.
   *
   * @returns The state of the app, if there is one.
   * @throws {ProtocolError} −32602 for what cannot have been made here.
   */
  take(state: string, responses: InputResponses): string | undefined {
    if (!state.startsWith(BEGINNING)) return state;
    const [asked, answers, appState] = parse(state.slice(BEGINNING.length));
    for (const [key, [about, response]] of answers) this.#answers.set(key, [about, response]);
    for (const [key, about] of asked) {
      const response = Object.hasOwn(responses, key) ? responses[key] : undefined;
      if (response) this.#answers.set(key, [about, response]);
    }
    return appState;
  }
}

type Parsed = [
  asked: [key: string, asked: string][],
  answers: [key: string, answer: [asked: string, response: InputResponse]][],
  appState?: string,
];

function parse(json: string): Parsed {
  try {
    const parsed = JSON.parse(json) as unknown;
    if (isParsed(parsed)) return parsed;
  } catch {
    // It is refused below.
  }
  throw badStateError();
}

function isParsed(value: unknown): value is Parsed {
  if (!Array.isArray(value)) return false;
  const [asked, answers, appState] = value as unknown[];
  if (appState !== undefined && typeof appState !== 'string') return false;
  return isPairs(asked, (about) => typeof about === 'string') && isPairs(answers, isAnswer);
}

function isAnswer(answer: unknown): boolean {
  return Array.isArray(answer) && typeof answer[0] === 'string' && isObject(answer[1]);
}

function isPairs(value: unknown, fits: (second: unknown) => boolean): boolean {
  return (
    Array.isArray(value) &&
    value.every((pair) => Array.isArray(pair) && typeof pair[0] === 'string' && fits(pair[1]))
  );
}

/** The state was not made here, has been changed, or is too old: −32602. */
export function badStateError(): ProtocolError {
  const data = { reason: 'invalid_request_state' };
  return invalidParams('Invalid or expired requestState', data);
}

/** A question, in words that differ where the question does: to a user, what they are asked. */
function inWords(request: InputRequest): string {
  return request.method === 'elicitation/create' ? request.params.message : JSON.stringify(request);
}
