import { invalidParams, type ProtocolError } from '../wire/errors.js';
import type { InputRequest, InputResponse, InputResponses } from '../wire/input-types.js';
import { canonicalText } from '../schemas/index.js';
import { isObject } from '../wire/is-object.js';
import type { Params } from '../wire/types.js';

/**
 * The questions and answers that a call of the modern era keeps from one round to the next, in addition to
 * the state of the app. They travel through the client as a part of `requestState`, with a hash of the
 * request, so that they are not mistaken for those of another request. They are not signed, because a client
 * that changes them could also have given other answers.
 */

const PREFIX = 'inpage-mcp:';

/** The answers by the key of the question: each is the question as a text, and its answer. */
type Answers = Map<string, readonly [question: string, response: InputResponse]>;

/** The parts of a call that identify its request. */
export interface RequestOfCall {
  readonly method: string;
  readonly params: Params;
}

/** A text that is the same for all rounds of a request, and for no other request. */
export function requestText({ method, params }: RequestOfCall): string {
  const { _meta, inputResponses: _responses, requestState: _state, ...lasting } = params;
  return canonicalText([method, lasting]);
}

/** The questions and answers of one call. */
export class CarriedAnswers {
  readonly #request: RequestOfCall;
  readonly #answers: Answers = new Map();
  readonly #questions = new Map<string, string>();

  constructor(request: RequestOfCall) {
    this.#request = request;
  }

  /** The answer to exactly this question, if it was answered. */
  get(key: string, request: InputRequest): InputResponse | undefined {
    const [question, response] = this.#answers.get(key) ?? [];
    return question === textOf(request) ? response : undefined;
  }

  /** Adds the answer to a question. */
  set(key: string, request: InputRequest, response: InputResponse): void {
    this.#answers.set(key, [textOf(request), response]);
  }

  /** Adds a question before it is sent. */
  addQuestion(key: string, request: InputRequest): void {
    this.#questions.set(key, textOf(request));
  }

  /**
   * The state for the client to send back. If nothing was asked here, it is the state of the app.
   */
  toState(appState: string | undefined): string | undefined {
    if (this.#questions.size + this.#answers.size === 0) return appState;
    const own = [hashOf(this.#request), [...this.#questions], [...this.#answers]];
    return PREFIX + JSON.stringify(appState === undefined ? own : [...own, appState]);
  }

  /**
   * Restores questions and answers from the state and the answers that a client has sent back. A
   * state of another request is ignored, so that the call asks again.
   *
   * @returns The state of the app, if it has one.
   * @throws {ProtocolError} −32602 if the server cannot have made this state.
   */
  restore(state: string, responses: InputResponses): string | undefined {
    if (!state.startsWith(PREFIX)) return state;
    const [hash, questions, answers, appState] = parse(state.slice(PREFIX.length));
    if (hash !== hashOf(this.#request)) return undefined;
    for (const [key, [question, response]] of answers) this.#answers.set(key, [question, response]);
    for (const [key, question] of questions) {
      const response = Object.hasOwn(responses, key) ? responses[key] : undefined;
      if (response) this.#answers.set(key, [question, response]);
    }
    return appState;
  }
}

type Parsed = [
  hash: number,
  questions: [key: string, question: string][],
  answers: [key: string, answer: [question: string, response: InputResponse]][],
  appState?: string,
];

function parse(json: string): Parsed {
  try {
    const parsed = JSON.parse(json) as unknown;
    if (isParsed(parsed)) return parsed;
  } catch {
    // This is rejected below.
  }
  throw badStateError();
}

function isParsed(value: unknown): value is Parsed {
  if (!Array.isArray(value)) return false;
  const [, questions, answers, appState] = value as unknown[];
  if (appState !== undefined && typeof appState !== 'string') return false;
  return (
    isPairs(questions, (question) => typeof question === 'string') && isPairs(answers, isAnswer)
  );
}

function isAnswer(answer: unknown): boolean {
  return Array.isArray(answer) && typeof answer[0] === 'string' && isObject(answer[1]);
}

function isPairs(value: unknown, test: (second: unknown) => boolean): boolean {
  return (
    Array.isArray(value) &&
    value.every((pair) => Array.isArray(pair) && typeof pair[0] === 'string' && test(pair[1]))
  );
}

/** The error for a state that the server did not make, or that was changed or is too old: −32602. */
export function badStateError(): ProtocolError {
  const data = { reason: 'invalid_request_state' };
  return invalidParams('Invalid or expired requestState', data);
}

function hashOf(request: RequestOfCall): number {
  let hash = 0;
  for (const character of requestText(request)) {
    hash = (Math.imul(hash, 31) + character.codePointAt(0)!) | 0;
  }
  return hash;
}

/**
 * A text that is different for each question: the message of a question to a user; otherwise the whole
 * request.
 */
function textOf(request: InputRequest): string {
  return request.method === 'elicitation/create' ? request.params.message : JSON.stringify(request);
}
